/**
 * Contexts of the browser that the tests of a worker use one after another, so that a page finds the
 * console's code loaded and compiled, which is half of the work of a page load.
 */
import type { Browser, BrowserContext, Page } from '@playwright/test'

/** What a page may keep beside cookies and the cache of files. */
const storageTypes =
  'local_storage,indexeddb,cache_storage,service_workers,file_systems,shared_storage,storage_buckets'

/** Calls whose effect on a context cannot be taken back. */
const lasting = [
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setExtraHTTPHeaders',
] as const
const lastingOfClock = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'] as const

function refuse(): never {
  throw new Error('This lasts beyond the test: begin it with test.use({ ownContext: true }).')
}

interface Shared {
  context: BrowserContext
  /** Origins that the present test has visited. */
  origins: Set<string>
}

async function open(browser: Browser): Promise<Shared> {
  const context = await browser.newContext()
  for (const name of lasting) context[name] = refuse
  for (const name of lastingOfClock) context.clock[name] = refuse
  const origins = new Set<string>()
  context.on('page', (page) =>
    page.on('framenavigated', (frame) => origins.add(new URL(frame.url()).origin)),
  )
  return { context, origins }
}

/** Removes what a test has left, except files in the cache. @returns a blank page */
async function reset({ context, origins }: Shared): Promise<Page> {
  await Promise.all(context.pages().map((page) => page.close()))
  await context.setOffline(false)
  await context.clearCookies()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  for (const origin of origins) {
    if (origin !== 'null')
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes })
  }
  await session.detach()
  origins.clear()
  return page
}

export interface SharedContexts {
  /** The context for an address, with a blank page and without cookies. */
  contextOf: (baseURL: string) => Promise<BrowserContext>
  close: () => Promise<void>
}

export function createSharedContexts(browser: Browser): SharedContexts {
  const contexts = new Map<string, Shared>()
  return {
    async contextOf(baseURL) {
      const shared = contexts.get(baseURL) ?? (await open(browser))
      contexts.set(baseURL, shared)
      await reset(shared)
      return shared.context
    },
    async close() {
      for (const { context } of contexts.values()) await context.close()
    },
  }
}
