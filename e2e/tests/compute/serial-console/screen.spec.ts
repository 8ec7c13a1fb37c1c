import type { Page } from '@playwright/test'
import { expect, test } from '../../../support/test.ts'
import { dialog } from '../../../support/ui.ts'
import { ok } from '../../../support/seed.ts'

const PATH = '/projects/mill/instances/wheel/serial-console'
const screen = (page: Page) => page.getByRole('application', { name: 'Serial console' })
/** Terminal lines for a screen reader. */
const lines = (page: Page) => screen(page).getByRole('listitem')

test.beforeEach(async ({ project, seed }) => {
  await seed.instance(project.name, 'wheel')
})

test('shows the boot log and echoes typed text', async ({ page, api, seed }) => {
  await ok(api.instanceStart({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await seed.until('mill', 'wheel', 'running')
  await page.goto(PATH)
  await expect(page).toHaveTitle(
    'Serial Console / wheel / Instances / mill / Projects / Steading Console',
  )
  await expect(page.getByText('connected', { exact: true })).toBeVisible()
  await expect(lines(page).filter({ hasText: 'Steading simulated machine firmware' })).toBeVisible()
  await expect(lines(page).filter({ hasText: 'hostname: wheel' })).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('grind the corn')
  await expect(lines(page).filter({ hasText: 'wheel:~# grind the corn' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('again')
  await expect(lines(page).filter({ hasText: /^wheel:~# again/ })).toBeVisible()
  // This key leaves the terminal; every other key goes to the guest.
  await page.keyboard.press('Control+F6')
  await expect(page.getByRole('button', { name: 'CLI Command' })).toBeFocused()

  // Typed text is there after a reload.
  await page.reload()
  await expect(lines(page).filter({ hasText: 'grind the corn' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to instance' }).click()
  await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
})

test('fits the window and never scrolls the page @long', async ({ page, api, seed }) => {
  await ok(api.instanceStart({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await seed.until('mill', 'wheel', 'running')
  await page.goto(PATH)
  await expect(lines(page).first()).toBeAttached()
  const rows = await lines(page).count()
  await page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(() => lines(page).count()).toBeLessThan(rows)
  expect(
    await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight),
  ).toBeLessThanOrEqual(0)
})

test.describe('of a machine that starts slowly', () => {
  test.use({ hostConfig: { bootMs: 3000 } })

  test('explains that there is no console, waits for the start, and then connects @long', async ({
    page,
    api,
  }) => {
    await page.goto(PATH)
    await expect(page.getByRole('heading', { name: 'The instance is stopped' })).toBeVisible()
    await expect(
      page.getByText('You can only connect to the serial console on a running instance.'),
    ).toBeVisible()
    await expect(page.getByText('disconnected', { exact: true })).toBeVisible()
    await ok(api.instanceStart({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
    await expect(
      page.getByText('Waiting for the instance to start before connecting.'),
    ).toBeVisible()
    await expect(page.getByText('connected', { exact: true })).toBeVisible()
    await expect(lines(page).filter({ hasText: 'Welcome to wheel' })).toBeVisible()
    await ok(api.instanceStop({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
    await expect(page.getByText('connected', { exact: true })).toBeHidden()
    await expect(page.getByRole('status').filter({ hasText: 'The instance is' })).toContainText(
      'stopped',
    )
  })
})

test('shows the equivalent shell command @long', async ({ page }) => {
  await page.goto(PATH)
  await page.getByRole('button', { name: 'CLI Command' }).click()
  const modal = dialog(page, 'CLI command')
  await expect(modal).toContainText('oxide instance serial console')
  await modal.getByRole('button', { name: 'Copy command' }).click()
  await expect(modal.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'oxide instance serial console --project mill --instance wheel',
  )
})
