/** The serial console of a machine that is off. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import type { Host } from '../../../support/host.ts'
import { ok } from '../../../support/seed.ts'
import {
  connected,
  CONSOLE,
  find,
  line,
  openConsole,
  runningInstance,
  screen,
} from '../../../support/terminal.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm } from '../../../support/ui.ts'

const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'The instance is' })

async function downloadLog(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download log' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('wheel-serial-console.log')
  return readFile(await file.path(), 'utf8')
}

/** As when the instance's sled fails. */
async function crash(host: Host): Promise<void> {
  const { database, engines } = host.server.controlPlane
  const { vm_id } = await database.db
    .selectFrom('instance')
    .select('vm_id')
    .where('name', '=', 'wheel')
    .executeTakeFirstOrThrow()
  await engines.machines.crash(vm_id!)
}

test('the output stays when the machine stops, and continues below when it starts @long', async ({
  page,
  project,
  seed,
}) => {
  await runningInstance(project.name, seed)
  await openConsole(page)
  await page.keyboard.type('printf last-words\\n\n')
  await expect(line(page, /^last-words/)).toBeVisible()
  await page.keyboard.type('poweroff\n')
  await expect(banner(page)).toContainText('stopped')
  await expect(page.getByText('disconnected', { exact: true })).toBeVisible()
  await expect(line(page, 'Power down')).toBeVisible()
  await expect(line(page, /^last-words/)).toBeVisible()
  await expect(await find(page, 'last-words')).toHaveText(/ of 2$/)
  expect(await downloadLog(page)).toMatch(/multi-user[^]*\r\nlast-words\r\n[^]*Power down\r\n$/)
  await page.keyboard.press('Escape')

  await banner(page).getByRole('button', { name: 'Start' }).click()
  await confirm(page, 'Start instance')
  await expect(connected(page)).toBeVisible()
  await expect(banner(page)).toBeHidden()
  await expect(line(page, /New boot · /)).toHaveCount(1)
  await expect(line(page, /^wheel:~#/).last()).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  await expect(await find(page, 'last-words')).toHaveText(/ of 2$/)
  expect(await downloadLog(page)).toMatch(/Power down\r\n─+ New boot[^]*multi-user[^]*wheel:~# $/)
})

test('the page of a stopped machine shows its log, and leaves the keyboard alone @long', async ({
  page,
  project,
  seed,
  api,
  host,
}) => {
  await seed.instance(project.name, 'wheel', { start: true, autoRestartPolicy: 'never' })
  await seed.until(project.name, 'wheel', 'running')
  await crash(host)
  await seed.until(project.name, 'wheel', 'failed')
  await page.goto(CONSOLE)
  await expect(banner(page)).toContainText('failed')
  await expect(banner(page)).toContainText(
    'The sled that it ran on stopped responding. It will not be restarted automatically.',
  )
  await expect(line(page, 'reached target multi-user')).toBeVisible()
  await expectAccessible(page)
  expect(await downloadLog(page)).toContain('reached target multi-user')

  // There is no guest for the keys: Tab moves on, and the log scrolls.
  const terminal = screen(page).getByRole('textbox')
  await terminal.focus()
  await page.keyboard.press('Tab')
  await expect(terminal).not.toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(banner(page).getByRole('button', { name: 'Start' })).toBeInViewport({ ratio: 1 })
  await expectNoSidewaysScroll(page)

  // Another user starts it.
  await ok(api.instanceStart(wheel))
  await expect(connected(page)).toBeVisible()
  await expect(line(page, /New boot · /)).toHaveCount(1)
})

test.describe('a control plane without extensions', () => {
  test.use({ hostConfig: { extensions: false } })

  test('has no stored log, but the page keeps its output @long', async ({
    page,
    project,
    seed,
    consoleErrors,
  }) => {
    consoleErrors.expect(/404/)
    await runningInstance(project.name, seed)
    await openConsole(page)
    expect(await downloadLog(page)).toMatch(/multi-user[^]*wheel:~# $/)
    await page.keyboard.type('poweroff\n')
    await expect(banner(page)).toContainText('stopped')
    await expect(line(page, 'Power down')).toBeVisible()
    expect(await downloadLog(page)).toMatch(/multi-user[^]*Power down\r\n$/)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'The instance is stopped' })).toBeVisible()
    await page.getByRole('button', { name: 'Start' }).click()
    await confirm(page, 'Start instance')
    await expect(connected(page)).toBeVisible()
  })
})
