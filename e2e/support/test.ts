import { test as base, type BrowserContext, type Page } from '@playwright/test'
import { isDeepStrictEqual } from 'node:util'
import type { ApiClient, Project } from '@steading/api/client'
import type { ServerConfig } from '../../packages/node/src/config.ts'
import { type ConsoleErrors, watchConsole } from './console-errors.ts'
import { clientOf, type Host, signIn, startHost } from './host.ts'
import { serveDemo } from './demo-host.ts'
import { freePort, isFree } from '../../packages/control-plane/test/support/programs.ts'
import { ok, type Seed, seedWith } from './seed.ts'
import { createSharedContexts } from './shared-context.ts'
import { slowDownPages } from './slow-browser.ts'
import { openTab, type Tab } from './tab.ts'

export { expect } from '@playwright/test'

/**
 * Contents of a host for tests that change nothing. Every worker creates it once, for all its tests
 * that name it.
 */
export interface Scene {
  config?: Partial<ServerConfig>
  /** Fills a new host with project `mill`. */
  fill: (made: { host: Host; api: ApiClient; seed: Seed; project: Project }) => Promise<unknown>
  /** Configuration for a restart after filling. */
  restart?: Partial<ServerConfig>
}

interface Fixtures {
  /** Differences from the usual host: `test.use({ hostConfig: { … } })`. */
  hostConfig: Partial<ServerConfig>
  /** Shared host of a test that changes nothing: `test.use({ scene: … })`. */
  scene: Scene | undefined
  /** Whether the browser starts with a session. */
  signedIn: boolean
  /**
   * Whether the context of the browser is new, because the test changes it for good or watches a page
   * load for the first time. Other tests share contexts of their worker (`shared-context.ts`), if
   * their options are the usual ones.
   */
  ownContext: boolean
  host: Host
  /** Session of the administrator, in the browser and in `api`. */
  session: string
  api: ApiClient
  seed: Seed
  project: Project
  consoleErrors: ConsoleErrors
}

interface WorkerFixtures {
  hostOf: (scene: Scene) => Promise<Host>
  tabOf: (host: Host) => Promise<Tab>
  contextOf: (baseURL: string) => Promise<BrowserContext>
  /** Port for the host of each test: pages of the same address find their code in the cache. */
  portOf: () => Promise<number>
  /** Address of the demo. */
  demo: string
}

const PROJECT = ['mill', 'Grinds'] as const

async function makeScene({ config, fill, restart }: Scene): Promise<Host> {
  const host = await startHost(config)
  const api = clientOf(host.url, await signIn(host.url))
  const seed = seedWith(api)
  await fill({ host, api, seed, project: await seed.project(...PROJECT) })
  return restart ? host.restarted(restart) : host
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  hostConfig: [{}, { option: true }],
  scene: [undefined, { option: true }],
  signedIn: [true, { option: true }],
  ownContext: [false, { option: true }],

  browser: [
    async ({ browser }, use) => {
      slowDownPages(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],

  // Defined here instead of in the files that need them: a worker serves only files with the same
  // fixtures.
  hostOf: [
    // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
    async ({}, use) => {
      const hosts = new Map<Scene, Promise<Host>>()
      await use((scene) => {
        const host = hosts.get(scene) ?? makeScene(scene)
        hosts.set(scene, host)
        return host
      })
      for (const host of hosts.values()) await (await host).close()
    },
    { scope: 'worker' },
  ],
  tabOf: [
    async ({ browser }, use) => {
      const tabs = new Map<Host, Promise<Tab>>()
      await use((host) => {
        const tab = tabs.get(host) ?? openTab(browser, host)
        tabs.set(host, tab)
        return tab
      })
      for (const tab of tabs.values()) await (await tab).close()
    },
    { scope: 'worker' },
  ],
  contextOf: [
    async ({ browser }, use) => {
      const contexts = createSharedContexts(browser)
      await use(contexts.contextOf)
      await contexts.close()
    },
    { scope: 'worker' },
  ],
  portOf: [
    // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
    async ({}, use) => {
      let port: number | undefined
      await use(async () => {
        if (port === undefined || !(await isFree(port))) port = await freePort()
        return port
      })
    },
    { scope: 'worker' },
  ],
  demo: [
    // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
    async ({}, use) => {
      const { url, close } = await serveDemo()
      await use(url)
      close()
    },
    { scope: 'worker' },
  ],

  host: async ({ hostConfig, scene, hostOf, portOf }, use) => {
    if (scene) return use(await hostOf(scene))
    const host = await startHost({ port: await portOf(), ...hostConfig })
    await use(host)
    await host.close()
  },

  session: async ({ host }, use) => use(await signIn(host.url)),
  api: async ({ host, session }, use) => use(clientOf(host.url, session)),
  seed: async ({ api }, use) => use(seedWith(api)),
  project: async ({ scene, api, seed }, use) => {
    const made = scene
      ? ok(api.projectView({ path: { project: PROJECT[0] } }))
      : seed.project(...PROJECT)
    await use(await made)
  },

  baseURL: async ({ host }, use) => use(host.url),

  storageState: async ({ host, session, signedIn }, use) => {
    const cookie = {
      name: 'session',
      value: session,
      domain: new URL(host.url).hostname,
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax' as const,
    }
    await use({ cookies: signedIn ? [cookie] : [], origins: [] })
  },

  context: async (
    {
      browser,
      contextOf,
      baseURL,
      storageState,
      ownContext,
      viewport,
      locale,
      hasTouch,
      contextOptions,
    },
    use,
    { project },
  ) => {
    const usual = project.use
    const options = [viewport, locale, hasTouch, contextOptions]
    const usualOptions = [usual.viewport, usual.locale, false, usual.contextOptions]
    if (ownContext || !isDeepStrictEqual(options, usualOptions)) {
      const context = await browser.newContext()
      await use(context)
      return context.close()
    }
    const context = await contextOf(baseURL!)
    if (typeof storageState === 'object') await context.addCookies(storageState.cookies)
    await use(context)
    // Their requests would meet a host that stops.
    await Promise.all(context.pages().map((page) => page.close()))
  },

  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),

  consoleErrors: [async ({ context }, use) => watchConsole(context, use), { auto: true }],
})

/**
 * Read-only tests of pages. The tests of a worker share one tab instead of a `page` each; a failure
 * closes it.
 */
export const visit = test.extend<{ tab: Tab }>({
  tab: async ({ host, tabOf }, use) => use(await tabOf(host)),
  consoleErrors: async ({ tab }, use) => watchConsole(tab.context, use),
})

/**
 * Tests without a browser among browser tests: with the same fixtures, they run in the same
 * workers.
 */
export const withoutPage = test.extend({
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  consoleErrors: async ({}, use) => use({ expect: () => {} }),
})

/** Page of another user, or of the same user in another browser. */
export async function openAs(page: Page, url: string, session: string): Promise<Page> {
  const context = await page.context().browser()!.newContext({ baseURL: url })
  await context.addCookies([{ name: 'session', value: session, url }])
  // Otherwise it would poll until the worker ends.
  page.once('close', () => void context.close())
  return context.newPage()
}
