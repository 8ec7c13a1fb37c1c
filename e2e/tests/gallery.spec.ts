import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { isPackaged } from '../browser.ts'
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expect, test as base } from '../support/test.ts'
import { closeByEscape } from '../support/ui.ts'

const test = base.extend({
  baseURL: async ({ demo }, use) => use(demo),
  storageState: { cookies: [], origins: [] },
})

test.use({ viewport: { width: 1280, height: 1400 } })
test.skip(
  !isPackaged(),
  'Browsers draw differently, and the pictures are of the one from the dependencies (STEADING_CHROMIUM=packaged)',
)

const folder = join(import.meta.dirname, '../gallery')
/** The clock of the pictures. */
const NOW = new Date('2026-03-04T12:00:00Z')

/**
 * Compares an element with its picture. The tolerance only covers rounding on different processors:
 * a colour that differs by more than 1 of 255 counts.
 */
const expectPicture = (element: Locator, name: string) =>
  expect
    .soft(element)
    .toHaveScreenshot(`${name}.png`, { threshold: 0.006, maxDiffPixelRatio: 0.0002 })

async function openGallery(page: Page, look: string): Promise<void> {
  await page.clock.setFixedTime(NOW)
  await page.goto(`/gallery/?${look}`)
  await expect(page.getByRole('heading', { name: 'Design system' })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const links = (page: Page) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link').allTextContents()
const fileOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')

for (const theme of ['dark', 'light']) {
  const tag = theme === 'dark' ? [] : ['@long']
  test(`components look like their pictures in the ${theme} theme`, { tag }, async ({ page }) => {
    await openGallery(page, `theme=${theme}`)
    const names = await links(page)
    for (const name of names) {
      await expectPicture(section(page, name), `${theme}-${fileOf(name)}`)
    }
    const pictures = readdirSync(folder).filter((file) => file.startsWith(`${theme}-`))
    expect(pictures.sort(), 'pictures without a section').toEqual(
      names.map((name) => `${theme}-${fileOf(name)}.png`).sort(),
    )
    await expectAccessible(page)
  })
}

test('dialogs, menus and toasts look like their pictures', async ({ page }) => {
  await openGallery(page, 'theme=dark')
  const overlays = section(page, 'Menus and dialogs')
  for (const name of ['Dialog', 'Small form', 'Form in a panel', 'Panel', 'Confirmation']) {
    await overlays.getByRole('button', { name, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expectPicture(dialog, `open-${fileOf(name)}`)
    await closeByEscape(page)
    await expect(dialog).toBeHidden()
  }
  const popups = [
    { button: 'Actions of the example', role: 'menu', picture: 'menu' },
    { button: 'State: Running', role: 'menu', picture: 'choices' },
    { button: /^Choose a date range/, role: 'dialog', picture: 'calendar' },
    { button: 'default List', role: 'listbox', picture: 'list' },
  ] as const
  for (const { button, role, picture } of popups) {
    await page.getByRole('button', { name: button, exact: true }).click()
    const popup = page.locator('[data-popup]').filter({ has: page.getByRole(role) })
    await expectPicture(popup, `open-${picture}`)
    await page.keyboard.press('Escape')
    await expect(popup).toBeHidden()
  }
  await overlays.getByRole('button', { name: 'Tooltip' }).hover()
  await expectPicture(page.getByRole('tooltip'), 'open-tooltip')
  await overlays.getByRole('button', { name: 'Toasts' }).click()
  await expectPicture(page.getByTestId('Toasts'), 'open-toasts')
})

test('components are drawn from right to left, in forced colours and on a phone @long', async ({
  page,
}) => {
  await openGallery(page, 'theme=light')
  await page.getByRole('radio', { name: 'RTL' }).check()
  await expect(page).toHaveURL(/dir=rtl/)
  for (const name of ['Fields', 'Tables', 'Navigation']) {
    await expectPicture(section(page, name), `rtl-${fileOf(name)}`)
  }
  await page.getByRole('radio', { name: 'LTR' }).check()
  await page.emulateMedia({ forcedColors: 'active' })
  for (const name of ['Buttons', 'Choices', 'States and tags']) {
    await expectPicture(section(page, name), `forced-${fileOf(name)}`)
  }
  await page.emulateMedia({ forcedColors: 'none' })
  await page.setViewportSize({ width: 390, height: 1400 })
  await expectNoSidewaysScroll(page)
  await expectPicture(section(page, 'Tables'), 'phone-tables')
})
