/**
 * Checks that imports go one way: in every folder, the files and folders in it must not import each
 * other in a circle. That rules out circles between files, and between folders at every level. Type
 * imports and `import()` count as well. For imports between packages the linter has rules.
 */
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { root } from './processes.ts'

/** The folders that are checked, each by itself. */
const sources = /^(packages\/[^/]+|e2e|scripts)$/

/** One file imports another; paths from the root of the repository. */
interface Import {
  from: string
  to: string
}

/** What a child of a folder imports from the same folder: the other child, and an example. */
type Imports = Map<string, Import>

async function readImports(): Promise<Import[]> {
  const { output } = await cruise(['packages', 'e2e', 'scripts'], {
    baseDir: root,
    // TypeScript 7 has no API for tools yet.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import'] },
  })
  return (output as ICruiseResult).modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ coreModule, resolved }) => !coreModule && !resolved.includes('node_modules/'))
      .map(({ module, resolved, couldNotResolve }) => {
        // An import that is not found could be part of a circle.
        if (couldNotResolve) throw new Error(`${source} imports ${module}, which is not found.`)
        return { from: source, to: resolved }
      }),
  )
}

/** The children of every folder, with what they import from each other. */
function byFolder(imports: Import[]): Map<string, Map<string, Imports>> {
  const folders = new Map<string, Map<string, Imports>>()
  for (const example of imports) {
    const [from, to] = [example.from.split('/'), example.to.split('/')]
    const depth = from.findIndex((name, index) => name !== to[index])
    if (depth === -1) continue
    const folder = from.slice(0, depth).join('/')
    const children = folders.get(folder) ?? new Map<string, Imports>()
    const known = children.get(from[depth]!) ?? new Map<string, Import>()
    folders.set(folder, children.set(from[depth]!, known.set(to[depth]!, example)))
  }
  return folders
}

/** @returns the imports of a shortest way from a child back to itself, or none */
function circleOf(start: string, children: Map<string, Imports>): Import[] {
  const ways = new Map<string, Import[]>([[start, []]])
  for (const [child, way] of ways) {
    for (const [next, example] of children.get(child) ?? []) {
      if (next === start) return [...way, example]
      if (!ways.has(next)) ways.set(next, [...way, example])
    }
  }
  return []
}

const isChecked = (folder: string): boolean =>
  folder.split('/').some((_, index, names) => sources.test(names.slice(0, index + 1).join('/')))

const imports = await readImports()
let found = 0
for (const [folder, children] of byFolder(imports)) {
  if (!isChecked(folder)) continue
  const told = new Set<string>()
  for (const child of children.keys()) {
    const circle = told.has(child) ? [] : circleOf(child, children)
    if (circle.length === 0) continue
    found++
    console.log(`A circle of imports in ${folder}:`)
    for (const { from, to } of circle) {
      told.add(from.slice(folder.length + 1).split('/')[0]!)
      console.log(`  ${from} → ${to}`)
    }
  }
}
if (imports.length === 0) throw new Error('No imports were found.')
process.exitCode = found > 0 ? 1 : 0
