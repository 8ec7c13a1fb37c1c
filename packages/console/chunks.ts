/**
 * Which modules share a file of the bundle. A page should need few files and little that is not its
 * own: what the start needs, what many areas need, what a few need, the area itself. Libraries for popups, dialogs
 * and forms come with the first thing that uses them. What is left the bundler divides by itself.
 */
import { basename, join } from 'node:path'
import { FILES_BY_PATH } from '@steading/api/rules'
import type { Plugin, Rolldown } from 'vite'
import { joined } from './joined.ts'
import { type Area, areas, pathsOf } from './src/areas.ts'

const source = join(import.meta.dirname, 'src')
/** Libraries that no page waits for; modules that need one are not drawn with the page. */
const heavy =
  /[\\/]node_modules[\\/](react-aria|react-stately|react-hook-form|@xterm|match-sorter|uplot|@internationalized)/
/** Pages that few visits begin with, and that need what their area does not. */
const seldom = /[\\/]src[\\/].+[\\/]history-tab\.tsx$/
const react = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/
const library = /[\\/]node_modules[\\/]|^\0/

/** What so many of the areas need is in the file that all of them load. */
const COMMON = 3 / 10
/** So many files that several areas need may be loaded with a page, and by all pages of an area. */
const FILES_FOR_PAGE = 7
const FILES_FOR_AREA = 8
/** The page that most visits begin with has to be there after the fewest requests. */
const FIRST = 'instances'
const FILES_FOR_FIRST = 4

/** The layers above the areas, each with the modules it is made for. A module is in the first. */
const layers: readonly (readonly [name: string, made: RegExp])[] = [
  ['popups', /[\\/]src[\\/](ui|shell)[\\/](.*[\\/])?[\w-]+-popup\.tsx$/],
  ['dialogs', /[\\/]src[\\/]ui[\\/](modal|side-modal|confirming)\.tsx$/],
  ['fields', /[\\/]src[\\/]ui[\\/]form[\\/]field\.tsx$|[\\/]node_modules[\\/]react-hook-form[\\/]/],
  ['forms', /[\\/]src[\\/](forms|ui[\\/]form)[\\/].*(?<!combobox-field|listbox-field)\.tsx?$/],
  ['choices', /[\\/]src[\\/]ui[\\/]form[\\/].*\.tsx?$/],
]

/** Whether a file of the bundle is a layer. */
export const isOfLayer = (file: string): boolean =>
  layers.some(([name]) => basename(file).startsWith(`${name}-`))

interface Graph {
  ids: string[]
  /** Everything that some modules import, with these; not what they import when they need it. */
  closure: (roots: Iterable<string>) => Set<string>
  loads: (id: string) => readonly string[]
  sizeOf: (id: string) => number
}

/** Modules that only pass on the exports of others, by the name they are imported by. */
const barrels = [
  'lucide-react',
  'react-aria-components',
  '@steading/api/rules',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/router-core',
]

type Names = Map<string, string>
type Statement = Rolldown.ESTree.Program['body'][number]
const nameOf = (node: Rolldown.ESTree.ModuleExportName) =>
  node.type === 'Literal' ? node.value : node.name

/** The module that each name exported by a module comes from. */
async function exportsOf(context: Rolldown.PluginContext, id: string): Promise<Names> {
  const names: Names = new Map()
  const imported: Names = new Map()
  const from = async (source: string) => (await context.resolve(source, id))!.id
  for (const statement of context.parse(context.getModuleInfo(id)!.code!).body) {
    if (statement.type === 'ImportDeclaration') {
      const module = await from(statement.source.value)
      for (const { local } of statement.specifiers) imported.set(local.name, module)
    } else if (statement.type === 'ExportAllDeclaration') {
      for (const [name, module] of await exportsOf(context, await from(statement.source.value))) {
        names.set(name, module)
      }
    } else if (statement.type === 'ExportNamedDeclaration') {
      const module = statement.source ? await from(statement.source.value) : undefined
      for (const { local, exported } of statement.specifiers) {
        names.set(nameOf(exported), module ?? imported.get(nameOf(local)) ?? id)
      }
      const { declaration } = statement
      const declared =
        declaration?.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
      for (const each of declared) {
        if (each && 'id' in each && each.id?.type === 'Identifier') names.set(each.id.name, id)
      }
    }
  }
  return names
}

/** The names that a statement imports from a module, or nothing. */
function namesFrom(statement: Statement, source: string): string[] {
  if (statement.type !== 'ImportDeclaration' || statement.source.value !== source) return []
  return statement.specifiers.flatMap((specifier) =>
    specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : [],
  )
}

/**
 * What imports what. The modules behind a barrel count as imported only by those that name something
 * of them: the bundler drops the rest as well.
 */
async function graphOf(context: Rolldown.PluginContext): Promise<Graph> {
  const ids = [...context.getModuleIds()]
  const imports = new Map(ids.map((id) => [id, context.getModuleInfo(id)?.importedIds ?? []]))
  for (const source of barrels) {
    const barrel = (await context.resolve(source, join(import.meta.dirname, 'src/main.tsx')))!.id
    if (!imports.has(barrel)) continue
    const names = await exportsOf(context, barrel)
    for (const [id, imported] of imports) {
      if (!imported.includes(barrel)) continue
      const { body } = context.parse(context.getModuleInfo(id)!.code!)
      const used = body.flatMap((statement) => namesFrom(statement, source))
      const others = imported.filter((other) => other !== barrel)
      imports.set(id, [...others, ...used.flatMap((name) => names.get(name) ?? [])])
    }
  }
  return {
    ids,
    closure(roots) {
      const found = new Set(roots)
      for (const id of found) for (const next of imports.get(id) ?? []) found.add(next)
      return found
    },
    loads: (id) => context.getModuleInfo(id)?.dynamicallyImportedIds ?? [],
    sizeOf: (id) => context.getModuleInfo(id)?.code?.length ?? 0,
  }
}

interface Division {
  /** Module → the name of its file, where it is not left to the bundler. */
  files: Map<string, string>
  /** File → its level: it needs only files of lower ones. */
  levels: Map<string, number>
}

/** File → how many there are in a row that need each other, below it. */
function levelsOf(files: Map<string, string>, closure: Graph['closure']): Map<string, number> {
  const needs = new Map<string, Set<string>>()
  for (const [id, file] of files) {
    const needed = needs.get(file) ?? new Set()
    for (const each of closure([id])) needed.add(files.get(each) ?? file)
    needs.set(file, needed)
  }
  const levels = new Map<string, number>()
  const levelOf = (file: string): number => {
    const known = levels.get(file)
    if (known !== undefined) return known
    // Files that need each other are not known of here; the first one takes along what it needs.
    levels.set(file, 0)
    const below = [...needs.get(file)!].filter((other) => other !== file).map(levelOf)
    const level = Math.max(-1, ...below) + 1
    levels.set(file, level)
    return level
  }
  for (const file of needs.keys()) levelOf(file)
  return levels
}

function divide(graph: Graph, entries: string[]): Division {
  const { ids, closure, loads } = graph
  const files = new Map<string, string>()
  const put = (name: string, modules: Iterable<string>) => {
    for (const id of modules) if (!files.has(id)) files.set(id, name)
  }
  const initial = closure(entries)
  for (const id of initial) {
    put(react.test(id) ? 'react' : library.test(id) ? 'libraries' : 'start', [id])
  }
  const isLight = (id: string) =>
    !seldom.test(id) &&
    ![...closure([id])].some((needed) => heavy.test(needed) && !initial.has(needed))

  const made = layers.map(
    ([name, test]) => [name, closure(ids.filter((id) => test.test(id)))] as const,
  )
  /** What an area begins with: its routes, and the light pages of its first folder. */
  const beginnings = new Map<string, Set<string>>()
  /** Area → everything of it that is light. */
  const light = new Map<string, Set<string>>()
  for (const { name, folders } of areas) {
    const routes = folders.map((folder) => join(source, folder, 'routes.ts'))
    beginnings.set(name, closure([...routes, ...loads(routes[0]!).filter(isLight)]))
    light.set(name, closure([...routes, ...routes.flatMap(loads).filter(isLight)]))
  }
  /** Modules that several need, by what needs them, and by which of them begin with it. */
  const shared = new Map<string, string[]>()
  const users = [...light, ...made]
  const ofAreas = new Set([...light.values()].flatMap((modules) => [...modules]))
  for (const id of [...ofAreas].toSorted()) {
    if (files.has(id)) continue
    const needing = users.flatMap(([name, modules]) => (modules.has(id) ? name : []))
    if (needing.filter((name) => light.has(name)).length >= light.size * COMMON) put('common', [id])
    else if (needing.length > 1) {
      const key = needing
        .map((name) => (beginnings.get(name)?.has(id) === false ? `${name}-later` : name))
        .join('-')
      shared.set(key, [...(shared.get(key) ?? []), id])
    }
  }
  const visits = [
    ...[...beginnings].map(([name, modules]) => ({
      modules,
      files: name === FIRST ? FILES_FOR_FIRST : FILES_FOR_PAGE,
    })),
    ...[...light.values()].map((modules) => ({ modules, files: FILES_FOR_AREA })),
  ]
  for (const [index, modules] of joined([...shared.values()], visits, graph).entries()) {
    put(`shared-${index}`, modules)
  }
  for (const [name, modules] of [...beginnings, ...made]) put(name, modules)
  return { files, levels: levelsOf(files, closure) }
}

/** Path → the files of its area, for the host to name them to the browser with the page. */
function filesByPath(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const needs = (files: string[]): Set<string> => {
    const found = new Set(files)
    for (const file of found) {
      const chunk = chunks.find(({ fileName }) => fileName === file)
      for (const next of chunk?.imports ?? []) found.add(next)
    }
    return found
  }
  const started = needs(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  const filesOf = ({ folders }: Area) => {
    const routes = folders.map((folder) => join(source, folder, 'routes.ts'))
    const own = chunks.filter(({ moduleIds }) => moduleIds.some((id) => routes.includes(id)))
    const files = needs(own.map(({ fileName }) => fileName))
    return [...files].filter((file) => !started.has(file)).map((file) => `/${file}`)
  }
  return Object.fromEntries(
    areas.flatMap((area) => pathsOf(area).map((path) => [path, filesOf(area)])),
  )
}

/** More than there are. */
const LEVELS = 30

/** Divides the bundle, and writes down which files a page begins with. */
export function chunks(): Plugin {
  let division: Division = { files: new Map(), levels: new Map() }
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // A group takes along what its modules import, unless one before it has it.
              groups: Array.from({ length: LEVELS }, (_, level) => ({
                debugName: `level ${level}`,
                name: (id: string) => {
                  const file = division.files.get(id)
                  return file !== undefined && division.levels.get(file) === level ? file : null
                },
                priority: LEVELS - level,
              })),
            },
          },
        },
      },
    }),
    async buildEnd() {
      const entries = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
      division = divide(await graphOf(this), entries)
    },
    generateBundle(_options, bundle) {
      this.emitFile({
        type: 'asset',
        fileName: FILES_BY_PATH,
        source: JSON.stringify(filesByPath(bundle)),
      })
    },
  }
}
