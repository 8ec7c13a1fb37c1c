import { test as base, type Page } from '@playwright/test'
import type { ApiClient, Project } from '@steading/api/client'
import type { ServerConfig } from '../../packages/node/src/config.ts'
import { type ConsoleErrors, watchConsole } from './console-errors.ts'
import { clientOf, type Host, signIn, startHost } from './host.ts'
import { type Seed, seedWith } from './seed.ts'

export { expect } from '@playwright/test'

interface Fixtures {
  /** How the host of a test differs from the usual one: `test.use({ hostConfig: { … } })`. */
  hostConfig: Partial<ServerConfig>
  /** Whether the browser starts with a session. */
  signedIn: boolean
  host: Host
  /** The session of the administrator, in the browser and in `api`. */
  session: string
  api: ApiClient
  seed: Seed
  project: Project
  consoleErrors: ConsoleErrors
}

export const test = base.extend<Fixtures>({
  hostConfig: [{}, { option: true }],
  signedIn: [true, { option: true }],

  host: async ({ hostConfig }, use) => {
    const host = await startHost(hostConfig)
    await use(host)
    await host.close()
  },

  session: async ({ host }, use) => use(await signIn(host.url)),
  api: async ({ host, session }, use) => use(clientOf(host.url, session)),
  seed: async ({ api }, use) => use(seedWith(api)),
  project: async ({ seed }, use) => use(await seed.project('mill', 'Grinds')),

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

  consoleErrors: [async ({ context }, use) => watchConsole(context, use), { auto: true }],
})

/** The page of another person, or of the same one in another browser. */
export async function openAs(page: Page, url: string, session: string): Promise<Page> {
  const context = await page.context().browser()!.newContext({ baseURL: url })
  await context.addCookies([{ name: 'session', value: session, url }])
  return context.newPage()
}
