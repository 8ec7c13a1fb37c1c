/** Eleventy configuration: pages from Markdown in `docs`, and from the contract. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPages } from './api.ts'
import { contents } from './contents.ts'
import { facts } from './facts.ts'
import { lines } from './html.ts'
import { timeseriesPage } from './timeseries.ts'

const docs = join(import.meta.dirname, '..')
/** Pages from elsewhere in `docs`. */
const others = ['keyboard.md', 'scim.md']

/** Anchor of a heading, as on GitHub. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

interface Token {
  type: string
  tag: string
  content: string
  attrGet: (name: string) => string | null
  attrSet: (name: string, value: string) => void
  children: Token[] | null
}

/** Anchors of headings, links to other pages, and pictures in both themes. */
function extendMarkdown(markdown: {
  core: { ruler: { push: (name: string, rule: (state: { tokens: Token[] }) => void) => void } }
  renderer: { rules: Record<string, (tokens: Token[], index: number) => string> }
}): void {
  markdown.core.ruler.push('anchors', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open' && token.tag !== 'h1') {
        token.attrSet('id', slugOf(tokens[index + 1]!.content))
      }
      for (const child of token.children ?? []) {
        const href = child.type === 'link_open' ? child.attrGet('href') : null
        if (href && !href.includes(':')) child.attrSet('href', href.replace(/\.md(?=#|$)/, '.html'))
      }
    }
  })
  // Wide tables scroll sideways on their own, by pointer and by keyboard.
  markdown.renderer.rules.table_open = () =>
    '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>'
  markdown.renderer.rules.table_close = () => '</table></div>'
  markdown.renderer.rules.fence = (tokens, index) => lines(tokens[index]!.content)
  markdown.renderer.rules.image = (tokens, index) => {
    const { content } = tokens[index]!
    const name = tokens[index]!.attrGet('src')!
    const image = (theme: string) =>
      `<img class="in-${theme}" src="pictures/${name}-${theme}.webp" alt="${content}" width="1200" height="720" loading="lazy" />`
    return `<span class="picture">${image('dark')}${image('light')}</span>`
  }
}

/** Heading of a page as HTML; a page without one fails the build. */
function headingOf(html: string): string {
  const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '')
  if (!heading) throw new Error(`A page has no heading: ${html.slice(0, 80)}`)
  return heading
}

export default function configure(config: any) {
  const titles = new Map<string, string>()
  for (const file of ['index', ...contents.flatMap(({ pages }) => pages)]) {
    const name = `${file}.md`
    const source = readFileSync(join(docs, others.includes(name) ? name : `pages/${name}`), 'utf8')
    titles.set(file, /^# (.+)$/m.exec(source)![1]!)
    if (others.includes(name)) config.addTemplate(name, source)
  }
  const timeseries = timeseriesPage()
  for (const { file, title, html } of [...apiPages(), timeseries]) {
    config.addTemplate(`${file}.html`, `<h1>${title}</h1>\n${html}`)
  }
  // An unknown fact fails the build.
  config.setNunjucksEnvironmentOptions({ throwOnUndefined: true, autoescape: true })
  config.setUseGitIgnore(false)
  config.setIncludesDirectory('../site')
  config.setTemplateFormats(['md', 'html'])
  config.amendLibrary('md', extendMarkdown)
  config.addGlobalData('layout', 'layout.njk')
  config.addGlobalData('facts', facts)
  config.addGlobalData('groups', [
    ...contents.map(({ title, pages }) => ({
      title,
      pages: pages.map((page) => ({ file: `${page}.html`, title: titles.get(page) })),
    })),
    {
      title: 'Reference',
      pages: [
        { file: 'api.html', title: 'API reference' },
        { file: `${timeseries.file}.html`, title: timeseries.title },
      ],
    },
  ])
  config.addFilter('heading', headingOf)
  config.addGlobalData('eleventyComputed', {
    permalink: ({ page }: { page: { fileSlug: string } }) => `${page.fileSlug || 'index'}.html`,
  })
  return { markdownTemplateEngine: 'njk', htmlTemplateEngine: false }
}
