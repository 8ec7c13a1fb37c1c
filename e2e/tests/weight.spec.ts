import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST_LIST, type PageWeight, pageWeights } from '../../packages/console/early/weight.ts'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

/** Maximum requests until the first list is drawn, including the page itself. */
const REQUESTS = 17

const dist = join(import.meta.dirname, '../../packages/console/dist')
const pages: PageWeight[] = existsSync(dist) ? pageWeights(dist) : []

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

test.use({ ownContext: true })

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
  const announced = pages.find(({ path }) => path === '/projects/$project/instances')!
  expect(code.filter((file) => !announced.files.includes(file))).toEqual([])
  // `npm run check` compares all pages with their limits.
  expect(announced.bytes).toBeLessThan(FIRST_LIST)
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
