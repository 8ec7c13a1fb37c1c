import { expectAccessible } from '../../support/accessibility.ts'
import { expect, test } from '../../support/test.ts'
import { intercept } from '../../support/faults.ts'
import { closeByEscape, heading } from '../../support/ui.ts'
import type { Page } from '@playwright/test'

const html = (page: Page) => page.locator('html')

async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: theme }).click()
}

test.use({ ownContext: true })

test('the theme follows the system at first, and a choice is kept and applied before the first paint', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/projects')
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
  await chooseTheme(page, 'Light')
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
  // The menu stays open for trying out themes.
  await expect(page.getByRole('menuitemradio', { name: 'Light' })).toBeChecked()

  // The page's appearance if the application never runs.
  consoleErrors.expect(/ERR_FAILED/)
  const run = await intercept(page, /\/assets\/index-.*\.js/, (route) => route.abort())
  await page.reload()
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
  await page.goto('/login/main/local')
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
  run()
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
})

test('the theme can follow the system @long', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/projects')
  await chooseTheme(page, 'Dark')
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
  expect(await page.evaluate(() => localStorage.getItem('theme-preference'))).toBe(
    '{"state":{"theme":"system"},"version":0}',
  )
})

test('without a choice, the sign-in page follows the system @long', async ({ page }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/login/main/local')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expect(html(page)).toHaveAttribute('data-theme', colorScheme)
    await expectAccessible(page)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
})

test('the user menu leads to the settings by keyboard @long', async ({ page }) => {
  await page.goto('/projects')
  const button = page.getByRole('button', { name: 'User menu' })
  await expect(button).toHaveText('admin')
  await button.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await button.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings/profile')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('the sidebar is a drawer @long', async ({ page, project }) => {
    await page.goto(`/projects/${project.name}/instances`)
    const drawer = page.getByRole('dialog', { name: 'Navigation' })
    await page.getByRole('button', { name: 'Open navigation' }).tap()
    await drawer.getByRole('link', { name: 'Disks' }).tap()
    await expect(heading(page, 'Disks')).toBeVisible()
    await expect(drawer).toBeHidden()
    await page.getByRole('button', { name: 'Open navigation' }).tap()
    await closeByEscape(page)
    await expect(drawer).toBeHidden()
    await page.getByRole('button', { name: 'Search' }).tap()
    await expect(page.getByRole('dialog', { name: 'Quick actions' })).toBeVisible()
  })
})

test('with reduced motion, a change of the theme starts no transition @long', async ({ page }) => {
  await page.goto('/projects')
  await expect(heading(page, 'Projects')).toBeVisible()
  const started = await page.evaluate(() => {
    document.documentElement.dataset.theme = 'light'
    return document.getAnimations().filter((each) => each instanceof CSSTransition).length
  })
  expect(started).toBe(0)
})
