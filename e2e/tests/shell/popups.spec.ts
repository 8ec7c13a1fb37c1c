import type { Locator, Page } from '@playwright/test'
import { store } from '../../support/many.ts'
import { expect, type Scene, test } from '../../support/test.ts'
import { closeByEscape, dialog, heading, row } from '../../support/ui.ts'
import { sshKeyRow } from '../../../packages/control-plane/test/support/many.ts'

const name = (index: number) => `key-${String(index).padStart(2, '0')}`

/** A list longer than the window. */
const keys: Scene = {
  fill: async ({ host, api }) => {
    const me = await api.currentUserView({})
    const user = me.type === 'success' ? me.data.id : ''
    await store(
      host,
      'ssh_key',
      Array.from({ length: 40 }, (_, index) => sshKeyRow(user, name(index))),
    )
  },
}
test.use({ scene: keys })

const PATH = '/settings/ssh-keys'
/** The code of popups, which loads after the page. */
const POPUPS = /\/assets\/menu-popup-/
const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Row actions' })
const button = (page: Page, index: number): Locator =>
  row(page, name(index)).getByRole('button', { name: 'Row actions' })

/** Distance from the button to the menu below it; negative above it. */
async function distance(page: Page, index: number): Promise<number> {
  const [list, anchor] = await Promise.all([
    menu(page).boundingBox(),
    button(page, index).boundingBox(),
  ])
  return list!.y - anchor!.y
}

test('a row menu follows its row while the page scrolls, until the row is out of sight @long', async ({
  page,
}) => {
  await page.goto(PATH)
  await button(page, 8).click()
  await expect(menu(page)).toBeVisible()
  const gap = await distance(page, 8)
  expect(gap).toBe(Math.round(gap))
  await page.mouse.wheel(0, 120)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(120)
  await expect.poll(() => distance(page, 8)).toBeCloseTo(gap, 0)
  await page.mouse.wheel(0, 1500)
  await expect(menu(page)).toBeHidden()
})

test('a row menu opens by a click that scrolls first, above a row at the bottom edge @long', async ({
  page,
}) => {
  await page.goto(PATH)
  await expect(button(page, 0)).toBeVisible()
  // In one task, so that the page handles the scroll after the click.
  await button(page, 30).evaluate((element: HTMLElement) => {
    element.scrollIntoView({ block: 'end' })
    element.click()
  })
  await expect(menu(page)).toBeVisible()
  await expect.poll(() => distance(page, 30)).toBeLessThan(0)
  await expect(menu(page).getByRole('menuitem', { name: 'Delete' })).toBeInViewport({ ratio: 1 })
})

test('one menu is open at a time, and its button closes it @long', async ({ page }) => {
  await page.goto(PATH)
  await button(page, 1).click()
  await expect(menu(page)).toBeVisible()
  await button(page, 1).click()
  await expect(menu(page)).toBeHidden()
  await expect(button(page, 1)).toBeFocused()
  await button(page, 1).click()
  await button(page, 6).click()
  await expect(menu(page)).toHaveCount(1)
  await expect(button(page, 1)).toHaveAttribute('aria-expanded', 'false')
  await expect(button(page, 6)).toHaveAttribute('aria-expanded', 'true')
  await heading(page, 'SSH Keys').click()
  await expect(menu(page)).toBeHidden()
})

test('dragging from the button to an item chooses it @long', async ({ page }) => {
  await page.goto(PATH)
  await button(page, 1).hover()
  await page.mouse.down()
  const item = menu(page).getByRole('menuitem', { name: 'Delete' })
  await item.hover()
  await page.mouse.up()
  await expect(dialog(page, 'Delete SSH key')).toContainText(name(1))
  await expect(menu(page)).toBeHidden()
  await closeByEscape(page)

  // Released on the button, the menu stays open, and another click chooses an item.
  await button(page, 2).hover()
  await page.mouse.down()
  await expect(menu(page)).toBeVisible()
  await page.mouse.up()
  await item.click()
  await expect(dialog(page, 'Delete SSH key')).toContainText(name(2))
})

test('Escape closes a menu right after it has opened @long', async ({ page }) => {
  await page.goto(PATH)
  await button(page, 1).click()
  await page.keyboard.press('Escape')
  await expect(button(page, 1)).toHaveAttribute('aria-expanded', 'false')
  await expect(menu(page)).toBeHidden()
  await expect(button(page, 1)).toBeFocused()
})

test('keys pressed before the code of a menu is loaded are not lost', async ({ page }) => {
  let arrive: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(POPUPS, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(PATH)
  await button(page, 2).focus()
  // Opened and closed again.
  await page.keyboard.press('Enter')
  await expect(button(page, 2)).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(button(page, 2)).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('d')
  await expect(button(page, 2)).toBeFocused()
  arrive()
  await expect(menu(page).getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page, 'Delete SSH key')).toContainText(name(2))
})

test('a menu whose code fails to load shows that, and opens after a reload @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/Failed to load resource/)
  let broken = true
  await page.route(POPUPS, (route) => (broken ? route.abort() : route.continue()))
  await page.goto(PATH)
  await button(page, 2).click()
  await expect(page.getByText(/^Could not open “Row actions of /)).toBeVisible()
  await expect(button(page, 2)).toHaveAttribute('aria-expanded', 'false')
  broken = false
  // Chromium does not retry a failed module import.
  await page.reload()
  await button(page, 2).click()
  await expect(menu(page)).toBeVisible()
})

test('the lists of fields follow them while the page scrolls @long', async ({ page }) => {
  await page.goto('/projects/mill/instances-new')
  const options = page.getByRole('listbox')
  const field = page.getByRole('combobox', { name: 'Image' })
  await field.click()
  await expect(options).toBeVisible()
  const scrolled = () => page.evaluate(() => window.scrollY)
  const before = await scrolled()
  await page.mouse.wheel(0, 40)
  await expect.poll(scrolled).toBe(before + 40)
  await expect(options).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options).toBeHidden()

  const policy = page.getByRole('button', { name: 'Auto-restart policy' })
  await policy.click()
  await expect(options).toBeVisible()
  await page.mouse.wheel(0, -40)
  await expect(options).toBeVisible()
  await policy.click()
  await expect(options).toBeHidden()
})
