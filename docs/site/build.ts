/**
 * Builds the documentation with Eleventy: Markdown pages, the API reference, and the search index.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const docs = join(import.meta.dirname, '..')
const root = join(docs, '..')
/** A section of a page, for the search index. */
export interface Section {
  id: number
  url: string
  /** Title of the page. */
  page: string
  title: string
  text: string
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Splits a page at its headings with an anchor. */
function sectionsOf(file: string, html: string): Omit<Section, 'id'>[] {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? ''
  const page = plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(main)?.[1] ?? '')
  // Tables of types would bury everything else in the search; their names are enough.
  const isApi = file.startsWith('api')
  const parts = main.split(/(?=<h[23] id=")/)
  return parts.map((part) => {
    const [, anchor, heading] = /^<h[23] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? []
    const body = isApi ? (/<p class="call">[\s\S]*?<\/p>/.exec(part)?.[0] ?? '') : part
    return {
      url: anchor === undefined ? file : `${file}#${anchor}`,
      page,
      title: heading === undefined ? page : plain(heading),
      text: `${plain(body.replace(/<h[123][\s\S]*?<\/h[123]>/, ''))}${isApi && anchor ? ` ${anchor}` : ''}`,
    }
  })
}

/** The parts of Eleventy in use; it has no types. */
interface EleventyModule {
  default: new (
    input: string,
    output: string,
    options: { quietMode: boolean; configPath: string },
  ) => { write: () => Promise<void> }
}
const ELEVENTY: string = '@11ty/eleventy'

/**
 * Builds all pages into a directory.
 * @returns third-party files that are copied
 */
export async function buildDocs(output: string): Promise<string[]> {
  const configPath = relative(process.cwd(), join(import.meta.dirname, 'eleventy.config.ts'))
  const input = relative(process.cwd(), join(docs, 'pages'))
  const { default: Eleventy } = (await import(ELEVENTY)) as EleventyModule
  await new Eleventy(input, output, { quietMode: true, configPath }).write()
  const sections = readdirSync(output)
    .filter((file) => file.endsWith('.html'))
    .toSorted()
    .flatMap((file) => sectionsOf(file, readFileSync(join(output, file), 'utf8')))
    .map((section, id): Section => ({ id, ...section }))
  writeFileSync(join(output, 'sections.json'), JSON.stringify(sections))
  const copies = {
    'style.css': 'docs/site/style.css',
    'search.js': 'docs/site/search.js',
    'index-options.js': 'docs/site/index-options.js',
    'tokens.css': 'packages/console/src/ui/tokens.css',
    'theme.js': 'packages/console/public/assets/theme.js',
    'favicon.svg': 'packages/console/public/assets/favicon.svg',
    'minisearch.js': 'node_modules/minisearch/dist/es/index.js',
    'inter.woff2': 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
    'jetbrains-mono.woff2':
      'node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    pictures: 'docs/pictures',
  }
  for (const [name, from] of Object.entries(copies)) {
    cpSync(join(root, from), join(output, name), { recursive: true })
  }
  return Object.values(copies).map((from) => join(root, from))
}
