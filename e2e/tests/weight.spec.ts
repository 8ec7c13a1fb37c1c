import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LINKS_BY_PATH } from '../../packages/api/src/rules.ts'
import type { Page } from '@playwright/test'
import { expect, test, withoutPage } from '../support/test.ts'

/** Maximum bytes of JavaScript, as sent, until the first list is drawn. */
const FIRST_LIST = 155_000
/** Maximum for the largest page, with the libraries of its forms and charts. */
const ANY_PAGE = 301_000
/** Maximum requests until the first list is drawn, including the page itself. */
const REQUESTS = 25

const dist = join(import.meta.dirname, '../../packages/console/dist')
const read = (file: string) => readFileSync(join(dist, file))

function sent(file: string): number {
  const compressed = join(dist, `${file}.br`)
  return (existsSync(compressed) ? readFileSync(compressed) : brotliCompressSync(read(file))).length
}

const sum = (files: Iterable<string>): number =>
  [...files].reduce((total, file) => total + sent(file), 0)

const filesIn = (text: string, file: RegExp) => [...text.matchAll(file)].map(([, name]) => name!)
const html = existsSync(dist) ? read('index.html').toString() : ''
const start = filesIn(html, /(?:src|href)="(\/[^"?]+\.js)/g)
const links = JSON.parse(read(LINKS_BY_PATH).toString()) as Record<string, string>
/** Path → files of the page. */
const byPath = new Map(
  Object.entries(links).map(([path, link]) => [path, filesIn(link, /<(.*?)>/g)]),
)

withoutPage('no page begins with much code', () => {
  const pages = [...byPath]
  expect(pages.length).toBeGreaterThan(150)
  const large = pages
    .map(([path, files]) => ({ path, bytes: sum(new Set([...start, ...files])) }))
    .filter(({ bytes }) => bytes > ANY_PAGE)
  expect(large).toEqual([])
})

/** Addresses requested by a page until its list was drawn, by the clock of the page. */
async function askedUntilDrawn(page: Page, path: string): Promise<string[]> {
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (!document.querySelector('tbody tr')) return
      performance.mark('drawn')
      look.disconnect()
    })
    look.observe(document, { childList: true, subtree: true })
  })
  await page.goto(path)
  await page.getByRole('link', { name: 'wheel' }).waitFor()
  return page.evaluate(() => {
    const [drawn] = performance.getEntriesByName('drawn')
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < drawn!.startTime)
      .map(({ name }) => name.slice(location.origin.length))
  })
}

const isCode = (address: string) => /\.js(\?|$)/.test(address)
const isRead = (address: string) => /^\/(v1|x)\//.test(address)

test('a list is drawn after few requests, with the announced code', async ({
  page,
  seed,
  project,
}) => {
  await seed.instance(project.name, 'wheel')
  const asked = await askedUntilDrawn(page, `/projects/${project.name}/instances`)
  // Plus the page itself.
  expect(asked.length + 1).toBeLessThanOrEqual(REQUESTS)
  const code = asked.filter(isCode).map((address) => address.replace(/\?.*/, ''))
  expect(sum(code)).toBeLessThan(FIRST_LIST)
  const announced = [...start, ...byPath.get('/projects/$project/instances')!]
  expect(code.filter((file) => !announced.includes(file))).toEqual([])
})

const twice = (reads: string[]) => reads.filter((read, at) => reads.indexOf(read) !== at)

test('the reads of a page are sent before its code has loaded, and once', async ({
  page,
  seed,
  project,
}) => {
  await seed.instance(project.name, 'wheel')
  // The first visit detects the extensions of the control plane.
  const first = (await askedUntilDrawn(page, `/projects/${project.name}/instances`)).filter(isRead)
  expect(twice(first)).toEqual([])
  const rows = page.waitForRequest((request) => request.url().includes('/x/v1/instances?'))
  await page.route('**/assets/index-*.js', async (route) => {
    await rows
    await route.continue()
  })
  const second = (await askedUntilDrawn(page, `/projects/${project.name}/instances`)).filter(isRead)
  expect(second).toEqual(expect.arrayContaining(['/v1/me', `/v1/projects/${project.name}`]))
  expect(twice(second)).toEqual([])
})

test('a control plane without extensions gets no requests for them @long', async ({
  page,
  seed,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/404 .*\/x\/v1\/capabilities/)
  await seed.instance(project.name, 'wheel')
  await page.route('**/x/v1/**', (route) => route.fulfill({ status: 404, body: '' }))
  const path = `/projects/${project.name}/instances`
  const first = (await askedUntilDrawn(page, path)).filter(isRead)
  const second = (await askedUntilDrawn(page, path)).filter(isRead)
  for (const reads of [first, second]) {
    expect(reads.filter((read) => read.startsWith('/x/'))).toEqual(['/x/v1/capabilities'])
    expect(reads.find((read) => read.startsWith('/v1/instances?'))).toBeDefined()
    expect(twice(reads)).toEqual([])
  }
})
