/** The documentation of the product: no dead links, and every picture shows an actual screen. */
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Operation, operations, parseBody, parseQuery } from '@steading/api'
import { docsOfTopic, linkedDocs, timeseriesDocs } from '@steading/api/rules'
import { timeseriesFacts } from '@steading/api/timeseries'
import MiniSearch from 'minisearch'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildDocs } from '../../../docs/site/build.ts'
import { exampleOfCall } from '../../../docs/site/examples.ts'
import { apiCalls } from '../../../docs/site/openapi.ts'
import { pictureFolder, shownPictures } from '../../../docs/site/pictures.ts'
import { createDocs } from '../src/docs.ts'
import { temporaryDirectory } from './support/process.ts'

const root = join(import.meta.dirname, '../../..')
const decode = (text: string) => text.replaceAll('&amp;', '&')

describe('the built pages', () => {
  const pages = new Map<string, string>()
  const files = new Set<string>()
  let index: MiniSearch
  beforeAll(async () => {
    const output = join(root, `node_modules/.cache/docs-test-${process.pid}`)
    await buildDocs(output)
    for (const file of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
      files.add(file)
      if (file.endsWith('.html')) pages.set(file, readFileSync(join(output, file), 'utf8'))
    }
    const sections = JSON.parse(readFileSync(join(output, 'sections.json'), 'utf8'))
    const { indexOptions } = await import(join(root, 'docs/site/index-options.js'))
    index = new MiniSearch(indexOptions)
    index.addAll(sections)
    rmSync(output, { recursive: true })
  })

  const anchorsOf = (file: string) =>
    new Set([...(pages.get(file) ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))

  test('are titled by their heading, each by another', () => {
    const titles = [...pages].map(([file, html]) => {
      const title = /<title>([^<]*)<\/title>/.exec(html)![1]!
      const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)![1]!.replaceAll(/<[^>]*>/g, '')
      expect(heading, file).not.toBe('')
      expect(title, file).toBe(`${heading} – Steading docs`)
      return title
    })
    expect(new Set(titles).size).toBe(pages.size)
  })

  test('exist for every link of the console', () => {
    for (const link of linkedDocs) {
      const [file, anchor] = link.split('#')
      expect([...pages.keys()]).toContain(`${file}.html`)
      if (anchor) expect([...anchorsOf(`${file}.html`)], link).toContain(anchor)
    }
  })

  test.each([
    ['invite user', 'invite-a-colleague.html'],
    ['gpu', 'not-there.html#gpus'],
    ['high availability', 'not-there.html#high-availability'],
    ['live migration', 'not-there.html#live-migration'],
    ['load balancer', 'not-there.html#load-balancers-dns-and-other-services'],
    ['open port', 'open-a-port.html'],
    ['disk full', 'recover-from-a-full-disk.html'],
    ['second disk', 'add-a-second-disk.html'],
    ['ssh', 'connect-with-ssh.html'],
    ['public ip', 'public-address.html'],
    ['proxmox', 'coming-from.html'],
    ['upgrade', 'upgrade.html'],
  ])('are found first by the search for "%s"', (text, url) => {
    expect(index.search(text)[0]?.url).toBe(url)
  })

  test('describe every time series', () => {
    const anchors = anchorsOf('timeseries-schemas.html')
    const wanted = timeseriesFacts.map(({ name }) => timeseriesDocs(name).split('#')[1]!)
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.filter((anchor) => !anchors.has(anchor))).toEqual([])
  })

  test('have no dead links, and load nothing from elsewhere', () => {
    const broken: string[] = []
    const anchors = new Map([...pages.keys()].map((file) => [file, anchorsOf(file)]))
    for (const [file, html] of pages) {
      for (const [, name, value] of html.matchAll(/ (href|src)="([^"]+)"/g)) {
        const target = decode(value!)
        if (/^[a-z]+:/.test(target)) {
          if (name === 'src') broken.push(`${file} loads ${target}`)
          continue
        }
        if (target.startsWith('../')) continue
        const [path, anchor] = target.split('#')
        const to = path || file
        if (!files.has(to)) broken.push(`${file} → ${target}`)
        else if (anchor && !anchors.get(to)?.has(anchor)) broken.push(`${file} → ${target}`)
      }
    }
    expect(broken).toEqual([])
  })
})

test('every call of the API has an example that the contract accepts', () => {
  const declared = new Map<string, Operation>(Object.entries(operations))
  const sent = apiCalls().flatMap(({ method, path, call }) => {
    const example = exampleOfCall(method, path, call)
    if (!example) return []
    const { query, body } = declared.get(call.operationId)!
    const { searchParams } = new URL(example.path, 'http://cloud.example')
    expect(example.path).not.toContain('{')
    if (query) parseQuery(query, searchParams)
    if (body) parseBody(body, JSON.stringify(example.body))
    return [call.operationId]
  })
  // The others upload bytes, or send forms.
  expect(sent.length).toBeGreaterThan(apiCalls().length - 10)
})

test('every info topic of the console has a page', () => {
  const sources = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: root })
  const topics = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\btopic(?:=|: )['"]([^'"]+)['"]/g)].map(
      ([, topic]) => topic!,
    ),
  )
  expect(topics.length).toBeGreaterThan(20)
  expect(topics.filter((topic) => docsOfTopic(topic) === undefined)).toEqual([])
})

test('every picture shows a page that the browser tests open', () => {
  const source = readFileSync(join(root, 'e2e/support/pages.ts'), 'utf8')
  const opened = [...source.matchAll(/^ {2}(?:'([^']+)'|(\w+)): \{/gm)].map(([, quoted, plain]) =>
    (quoted ?? plain!).replaceAll(' ', '-'),
  )
  expect(shownPictures().filter((name) => !opened.includes(name))).toEqual([])
  const missing = shownPictures().flatMap((name) =>
    ['dark', 'light']
      .map((theme) => `${name}-${theme}.webp`)
      .filter((file) => !existsSync(join(pictureFolder, file))),
  )
  expect(missing).toEqual([])
})

test('the host serves them below /docs, without a session', () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'index.html'), '<h1>Documentation</h1>')
  writeFileSync(join(directory, 'getting-started.html'), '<h1>Getting started</h1>')
  const docs = createDocs(directory)
  const get = (path: string) => docs(path, new Request(`http://host${path}`))
  expect(get('/docs').headers.get('location')).toBe('/docs/')
  expect(get('/docs/getting-started.html').status).toBe(200)
  // As typed by users.
  const typed = get('/docs/getting-started')
  expect(typed.status).toBe(200)
  expect(typed.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(get('/docs/nothing').status).toBe(404)
  expect(get('/docs/nothing.html').status).toBe(404)
})
