import type { Page } from '@playwright/test'
import { test } from '../support/killable.ts'
import { ok } from '../support/seed.ts'
import { expect } from '../support/test.ts'
import { openConsole } from '../support/terminal.ts'
import { confirm, expectDisabled, row, rowAction } from '../support/ui.ts'

const lost = (page: Page) => page.getByText('Reconnecting', { exact: true })

test.describe('in the middle of a boot', () => {
  test.use({ bootMs: 10 * 60_000 })

  test('a page survives a kill of its control plane, and recovers completely @long', async ({
    process,
    console: page,
    mill,
  }) => {
    await mill.disk('mill', 'sacks')
    await mill.instance('mill', 'wheel')
    await page.goto('/projects/mill/instances')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await rowAction(page, 'wheel', 'Start')
    await confirm(page, 'Start instance')
    await expect(row(page, 'wheel').getByText('starting')).toBeVisible()

    await process.kill()
    await expect(lost(page)).toBeVisible()
    // Known data is still shown, and controls that need the server show the reason.
    await expect(row(page, 'wheel').getByText('starting')).toBeVisible()
    const refresh = page.getByRole('button', { name: 'Refresh data' })
    await expectDisabled(refresh, 'There is no connection to the server')

    await process.restart({ bootMs: 600 })
    await expect(lost(page)).toBeHidden()
    await expect(row(page, 'wheel').getByText('running')).toBeVisible()
    await expect(refresh).not.toHaveAttribute('aria-disabled')
    await page
      .getByRole('navigation', { name: 'Sidebar navigation' })
      .getByRole('link', { name: 'Disks' })
      .click()
    await expect(row(page, 'sacks').getByText('detached')).toBeVisible()
  })
})

test('a serial console connects again and shows what was there @long', async ({
  process,
  console: page,
  client,
  mill,
}) => {
  await mill.instance('mill', 'wheel', { start: true })
  await mill.until('mill', 'wheel', 'running')
  await openConsole(page)
  const lines = page.getByRole('application').getByRole('listitem')
  await expect(lines.filter({ hasText: 'Welcome to wheel' })).toBeVisible()
  await page.keyboard.type('printf milled\\n\n')
  await expect(lines.filter({ hasText: /^milled/ })).toBeVisible()

  await process.kill()
  await expect(page.getByText('connected', { exact: true })).toBeHidden()
  await expect(page.getByText(/^Connection lost/)).toBeVisible()
  await process.restart()
  // As soon as the page has heard of the control plane again.
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  // Earlier output is known on both sides, and shown once.
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
