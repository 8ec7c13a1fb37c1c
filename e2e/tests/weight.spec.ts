import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { FILES_BY_PATH } from '../../packages/api/src/rules.ts'
import { expect, test, withoutPage } from '../support/test.ts'

/** Bytes as they are sent. */
const START = 45_000
const FIRST_PAGE = 160_000
/** What no page may need beyond the start and what areas have in common. */
const AREA = 12_000
const REQUESTS = 20

const dist = join(import.meta.dirname, '../../packages/console/dist')
const read = (file: string) => readFileSync(join(dist, file))

function sent(file: string): number {
  const compressed = join(dist, `${file}.br`)
  return (existsSync(compressed) ? readFileSync(compressed) : brotliCompressSync(read(file))).length
}

const sum = (files: Iterable<string>): number =>
  [...files].reduce((total, file) => total + sent(file), 0)

const html = existsSync(dist) ? read('index.html').toString() : ''
const [entry] = /(?<=<script type="module"[^>]* src=")[^"]+/.exec(html)!
const start = [...html.matchAll(/(?:src|href)="(\/[^"?]+\.js)/g)].map(([, file]) => file!)
const byPath = JSON.parse(read(FILES_BY_PATH).toString()) as Record<string, string[]>

withoutPage('the start of the console is small', () => {
  expect(sent(entry)).toBeLessThan(START)
})

withoutPage('the start of the console knows only the operations that it calls', () => {
  const known = read(entry)
    .toString()
    .match(/(?:GET|POST|PUT|DELETE) \/[\w/{}-]+/g)
  // They are those of the user, the project, the roles and what runs; there are hundreds of others.
  expect(known).toContain('GET /v1/me')
  expect(new Set(known).size).toBeLessThan(25)
  expect(known).not.toContain('POST /v1/disks')
})

withoutPage('a page begins with little code', () => {
  for (const [path, files] of Object.entries(byPath)) {
    expect.soft(sum(new Set([...start, ...files])), path).toBeLessThan(FIRST_PAGE)
    const own = files.filter((file) => !/\/(common|shared)-/.test(file))
    expect.soft(sum(own), `${path} alone`).toBeLessThan(AREA)
  }
})

test('a list is drawn after few requests, with the code that was announced', async ({
  page,
  seed,
  project,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.addInitScript(() => {
    // By the clock of the page: what is loaded in idle time after that does not count.
    const look = new MutationObserver(() => {
      if (!document.querySelector('tbody tr')) return
      performance.mark('drawn')
      look.disconnect()
    })
    look.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`/projects/${project.name}/instances`)
  await page.getByRole('link', { name: 'wheel' }).waitFor()
  const loaded = await page.evaluate(() => {
    const [drawn] = performance.getEntriesByName('drawn')
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < drawn!.startTime)
      .map(({ name }) => new URL(name).pathname)
  })
  // The page itself is one more.
  expect(loaded.length + 1).toBeLessThanOrEqual(REQUESTS)
  const announced = [...start, ...byPath['/projects/$project/instances']!]
  const scripts = loaded.filter((file) => file.endsWith('.js') && !file.endsWith('/theme.js'))
  expect(scripts.filter((file) => !announced.includes(file))).toEqual([])
})
