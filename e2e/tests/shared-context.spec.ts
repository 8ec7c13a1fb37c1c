import { createSharedContexts } from '../support/shared-context.ts'
import { expect, withoutPage } from '../support/test.ts'

/** Runs in the page: leaves something in each place where a page can keep things. */
async function leaveThings(): Promise<void> {
  localStorage.setItem('left', 'behind')
  sessionStorage.setItem('left', 'behind')
  document.cookie = 'left=behind'
  await new Promise((resolve) => {
    indexedDB.open('left').addEventListener('success', resolve)
  })
  await caches.open('left')
}

/** Runs in the page. */
const foundThings = async () => ({
  stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage)],
  cookies: document.cookie,
  databases: await indexedDB.databases(),
  caches: await caches.keys(),
})

withoutPage('a test finds nothing that an earlier test has left', async ({ browser, host }) => {
  const { contextOf, close } = createSharedContexts(browser)
  const address = `${host.url}/assets/favicon.svg`
  const earlier = await contextOf(host.url)
  const page = await earlier.newPage()
  await page.goto(address)
  await page.evaluate(leaveThings)
  await earlier.setOffline(true)

  const later = await contextOf(host.url)
  expect(later).toBe(earlier)
  expect(page.isClosed()).toBe(true)
  const [blank] = later.pages()
  await blank!.goto(address)
  expect(await blank!.evaluate(foundThings)).toEqual({
    stored: [],
    cookies: '',
    databases: [],
    caches: [],
  })
  // These could not be taken back.
  expect(() => later.route('**', () => {})).toThrow('ownContext')
  expect(() => blank!.clock.install()).toThrow('ownContext')
  await close()
})
