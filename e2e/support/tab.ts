/** A shared tab for tests that only look at pages, which navigate without reloading it. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type Host, signIn } from './host.ts'

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

export interface Tab {
  context: BrowserContext
  /** Navigates to a page, loading the console the first time. */
  show: (path: string) => Promise<Page>
  /** Gives the next test a new tab, because this one opens something or types. */
  leaveAfterwards: () => void
  close: () => Promise<void>
}

/** A tab with a session of the administrator of a host. */
export async function openTab(browser: Browser, { url }: Host): Promise<Tab> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
  await context.addCookies([{ name: 'session', value: await signIn(url), url }])
  let page: Page | undefined
  let leave = false
  return {
    context,
    async show(path) {
      if (page && !leave) {
        await navigate(page, path)
        return page
      }
      await page?.close()
      page = await context.newPage()
      leave = false
      await page.goto(path)
      return page
    },
    leaveAfterwards: () => void (leave = true),
    close: () => context.close(),
  }
}
