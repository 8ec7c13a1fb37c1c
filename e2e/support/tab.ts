/** Tests that only look at pages share one tab, and go from page to page without loading it anew. */
import {
  type Browser,
  type BrowserContext,
  expect,
  type Page,
  type Request,
} from '@playwright/test'
import { type Host, signIn } from './host.ts'
import { heading } from './ui.ts'

/** The router, as exposed to its own developer tools. */
type Router = { subscribe: (event: 'onResolved', listener: () => void) => () => void }

/** Navigates to another page of a loaded console, and waits for its loader. */
export const navigate = (page: Page, path: string): Promise<void> =>
  page.evaluate(async (to) => {
    // eslint-disable-next-line no-underscore-dangle -- the library's own name
    const router = (globalThis as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__
    const resolved = Promise.withResolvers<void>()
    const stop = router.subscribe('onResolved', resolved.resolve)
    history.pushState(null, '', to)
    await resolved.promise
    stop()
  }, path)

/**
 * Walks the console from page to page without loading it anew.
 * @returns goes to an address, and is done when all that its page reads has been answered
 */
export async function walker(page: Page): Promise<(path: string) => Promise<void>> {
  const unanswered = new Set<Request>()
  page.on('request', (request) => {
    // The events of the page stay open.
    if (new URL(request.url()).pathname !== '/x/v1/events') unanswered.add(request)
  })
  page.on('requestfinished', (request) => unanswered.delete(request))
  page.on('requestfailed', (request) => unanswered.delete(request))
  await page.goto('/settings/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  return async (path) => {
    await navigate(page, path)
    await expect.poll(() => unanswered.size, 'calls without an answer').toBe(0)
  }
}

export interface Tab {
  context: BrowserContext
  /** Navigates to a page, loading the console the first time. */
  show: (path: string) => Promise<Page>
  /** Loads the console anew for the next test, because this one opens something or types. */
  leaveAfterwards: () => void
  close: () => Promise<void>
}

/** A tab with a session of the administrator of a host. */
export async function openTab(browser: Browser, { url }: Host): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
  await context.addCookies([{ name: 'session', value: await signIn(url), url }])
  // Drafts of forms that an earlier test has left.
  await context.addInitScript(() => location.protocol === 'http:' && sessionStorage.clear())
  let page: Page | undefined
  let leave = false
  return {
    context,
    async show(path) {
      if (page && !leave) {
        await navigate(page, path)
        return page
      }
      page ??= await context.newPage()
      leave = false
      await page.goto(path)
      return page
    },
    leaveAfterwards: () => void (leave = true),
    close: () => context.close(),
  }
}
