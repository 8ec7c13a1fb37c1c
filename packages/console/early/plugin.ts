import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { wireRequest } from '@steading/api/wire-request'
import { API_VERSION, LINKS_BY_PATH } from '@steading/api/rules'
import type { Plugin, Rolldown } from 'vite'
import { KNOWN_EXTENSIONS } from '../src/data/known-extensions.ts'
import { askEarly } from './ask-early.ts'
import { loadRouteFacts } from './load-page-reads.ts'
import type { EarlyPages, PageReads, RouteFacts } from './pages.ts'

/** The given files of the bundle and all their imports. */
function filesOf(bundle: Rolldown.OutputBundle, roots: string[]): Set<string> {
  const found = new Set(roots)
  for (const file of found) {
    const chunk = bundle[file]
    if (chunk?.type === 'chunk') for (const next of chunk.imports) found.add(next)
  }
  return found
}

/**
 * Finds the module that exports a page's component, which must be unique.
 *
 * The modules are asked once, because each answer comes from another language.
 */
function modulesByExport(context: Rolldown.PluginContext): (component: string) => string {
  const exporters = new Map<string, string[]>()
  for (const id of context.getModuleIds()) {
    const info = context.getModuleInfo(id)
    if (!info || info.dynamicImporters.length === 0) continue
    for (const name of info.exports) exporters.set(name, [...(exporters.get(name) ?? []), id])
  }
  return (component) => {
    const [id, ...others] = exporters.get(component) ?? []
    if (id !== undefined && others.length === 0) return id
    throw new Error(
      `Exactly one module has to export the page ${component}; it is ${[id, ...others]}`,
    )
  }
}

/**
 * Path → `link` header with the initial files of a page. A browser requests them in this order,
 * six at a time: first the early reads, then the start, then the page.
 */
function linksByPath(
  context: Rolldown.PluginContext,
  pages: PageReads[],
  bundle: Rolldown.OutputBundle,
  script: string,
): Record<string, string> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)
  const started = filesOf(bundle, entries)
  const moduleOf = modulesByExport(context)
  const files = new Map(
    chunks.flatMap(({ moduleIds, fileName }) => moduleIds.map((id) => [id, fileName])),
  )
  const fileOf = (component: string): string => files.get(moduleOf(component))!
  const fileOfGroup = (name: string): string =>
    files.get(join(import.meta.dirname, `../src/route-groups/${name}.ts`))!
  return Object.fromEntries(
    pages.map(({ path, components, group }) => {
      const needed = filesOf(bundle, [
        ...(group === undefined ? [] : [fileOfGroup(group)]),
        ...components.map(fileOf),
      ])
      const modules = [...new Set([...started, ...needed])].map(
        (file) => `</${file}>; rel=modulepreload`,
      )
      return [path, [`</${script}>; rel=preload; as=script`, ...modules].join(', ')]
    }),
  )
}

const earlyPages = (pages: PageReads[]): EarlyPages => ({
  always: [wireRequest('capabilitiesView', {}).path],
  apiVersion: API_VERSION,
  extensionsKey: KNOWN_EXTENSIONS,
  pages: pages
    .filter(({ reads, plainReads }) => reads.length > 0 || plainReads.length > 0)
    .map(({ path, reads, plainReads }) => ({
      path,
      reads,
      ...(String(plainReads) === String(reads) ? {} : { plainReads }),
    })),
})

/**
 * Determines the initial needs of each page: its reads, which a script in the head sends early,
 * and its files, for the host.
 */
export function early(): Plugin {
  let script = ''
  let loading: Promise<RouteFacts> | undefined
  return {
    name: 'early',
    apply: 'build',
    buildStart() {
      // In another process, beside the build.
      loading = loadRouteFacts()
      // A failure is thrown where the pages are needed.
      loading.catch(() => {})
    },
    async generateBundle(_options, bundle) {
      const { pages } = await loading!
      const source = `(${askEarly})(${JSON.stringify(earlyPages(pages))})`
      const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
      script = `assets/early-${hash}.js`
      this.emitFile({ type: 'asset', fileName: script, source })
      const links = JSON.stringify(linksByPath(this, pages, bundle, script))
      this.emitFile({ type: 'asset', fileName: LINKS_BY_PATH, source: links })
    },
    // Called after the files have been generated.
    transformIndexHtml: () => [
      { tag: 'script', attrs: { src: `/${script}` }, injectTo: 'head-prepend' },
    ],
  }
}
