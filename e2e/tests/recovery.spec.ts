import type { Page } from '@playwright/test'
import type { ApiClient } from '@steading/api/client'
import { clientOf, signIn } from '../support/host.ts'
import { type HostProcess, startHostProcess } from '../support/process.ts'
import { ok, seedWith } from '../support/seed.ts'
import { expect, openAs, test as base } from '../support/test.ts'
import { confirm, expectDisabled, row, rowAction } from '../support/ui.ts'

interface Fixtures {
  process: HostProcess
  /** A page signed in at the process rather than at the usual host. */
  console: Page
  client: ApiClient
}

/** Long enough to die in the middle of. */
const BOOT_MS = 3000

const test = base.extend<Fixtures & { cookie: string }>({
  // eslint-disable-next-line no-empty-pattern -- how a fixture without needs is written
  process: async ({}, use) => {
    const process = await startHostProcess({ bootMs: BOOT_MS })
    await use(process)
    await process.close()
  },
  cookie: async ({ process }, use) => use(await signIn(process.url)),
  client: async ({ process, cookie }, use) => use(clientOf(process.url, cookie)),
  console: async ({ page, process, cookie }, use) => {
    const other = await openAs(page, process.url, cookie)
    await use(other)
    await other.context().close()
  },
})

const lost = (page: Page) => page.getByText('Reconnecting', { exact: true })

test('a page survives that its control plane is killed, and everything is there again', async ({
  process,
  console: page,
  client,
}) => {
  const seed = seedWith(client)
  await seed.project('mill')
  await seed.disk('mill', 'sacks')
  await seed.instance('mill', 'wheel')
  await page.goto('/projects/mill/instances')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await rowAction(page, 'wheel', 'Start')
  await confirm(page, 'Start instance')
  await expect(row(page, 'wheel').getByText('starting')).toBeVisible()

  await process.kill()
  await expect(lost(page)).toBeVisible()
  // What is known is still shown, and what needs the server says so.
  await expect(row(page, 'wheel').getByText('starting')).toBeVisible()
  const refresh = page.getByRole('button', { name: 'Refresh data' })
  await expectDisabled(refresh, 'There is no connection to the server')

  await process.restart()
  await expect(lost(page)).toBeHidden({ timeout: 20_000 })
  await expect(row(page, 'wheel').getByText('running')).toBeVisible()
  await expect(refresh).not.toHaveAttribute('aria-disabled')
  await page
    .getByRole('navigation', { name: 'Sidebar navigation' })
    .getByRole('link', { name: 'Disks' })
    .click()
  await expect(row(page, 'sacks').getByText('detached')).toBeVisible()
})

test('a serial console connects again and shows what was there', async ({
  process,
  console: page,
  client,
}) => {
  const seed = seedWith(client)
  await seed.project('mill')
  await seed.instance('mill', 'wheel', { start: true })
  await seed.until('mill', 'wheel', 'running')
  await page.goto('/projects/mill/instances/wheel/serial-console')
  const lines = page.getByRole('application').getByRole('listitem')
  await expect(lines.filter({ hasText: 'Welcome to wheel' })).toBeVisible()
  await page.keyboard.type('printf milled\\n\n')
  await expect(lines.filter({ hasText: /^milled/ })).toBeVisible()

  await process.kill()
  await expect(page.getByText('connected', { exact: true })).toBeHidden()
  await expect(page.getByText(/^Connection lost/)).toBeVisible()
  await process.restart()
  const again = page.getByRole('button', { name: 'Reconnect now' })
  const connected = page.getByText('connected', { exact: true })
  await expect(again.or(connected).first()).toBeVisible({ timeout: 20_000 })
  await expect(connected).toBeVisible({ timeout: 20_000 })
  // What was seen is known on both sides, and there once.
  for (const text of [/^Welcome to wheel/, /^milled/]) {
    await expect(lines.filter({ hasText: text })).toHaveCount(1)
  }
  const { data } = await ok(
    client.instanceSerialConsole({
      path: { instance: 'wheel' },
      query: { project: 'mill', mostRecent: 100 },
    }),
  )
  expect(Buffer.from(data).toString()).toContain('printf milled\\n\r\nmilled\r\nwheel:~# ')
  await page.getByRole('application').getByRole('textbox').focus()
  await page.keyboard.type('still here')
  await expect(lines.filter({ hasText: 'wheel:~# still here' })).toBeVisible()
  expect(
    (await ok(client.instanceView({ path: { instance: 'wheel' }, query: { project: 'mill' } })))
      .runState,
  ).toBe('running')
})
