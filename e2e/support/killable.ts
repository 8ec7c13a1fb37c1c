import type { Page } from '@playwright/test'
import type { ApiClient } from '@steading/api/client'
import { clientOf, signIn } from './host.ts'
import { type HostProcess, startHostProcess } from './process.ts'
import { type Seed, seedWith } from './seed.ts'
import { openAs, test as base } from './test.ts'

interface Fixtures {
  bootMs: number
  process: HostProcess
  cookie: string
  client: ApiClient
  mill: Seed
  /** A page signed in at the process instead of the usual host. */
  console: Page
}

/** Tests with the control plane in a separate process, which they kill and restart. */
export const test = base.extend<Fixtures>({
  bootMs: [600, { option: true }],
  process: async ({ bootMs }, use) => {
    const process = await startHostProcess({ bootMs })
    await use(process)
    await process.close()
  },
  cookie: async ({ process }, use) => use(await signIn(process.url)),
  client: async ({ process, cookie }, use) => use(clientOf(process.url, cookie)),
  /** Creates resources in project `mill`. */
  mill: async ({ client }, use) => {
    const seed = seedWith(client)
    await seed.project('mill')
    await use(seed)
  },
  console: async ({ page, process, cookie }, use) => {
    const other = await openAs(page, process.url, cookie)
    await use(other)
    await other.context().close()
  },
})
