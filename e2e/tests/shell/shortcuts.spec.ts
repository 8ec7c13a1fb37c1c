/** Everything without a mouse, and without tabbing through all elements in between. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { expect, test, type Scene } from '../../support/test.ts'
import { closeByEscape, dialog, heading, row } from '../../support/ui.ts'

const names = ['axle', 'beam', 'cog', 'dial']
const mill: Scene = {
  async fill({ seed, project }) {
    for (const name of names) await seed.disk(project.name, name)
    await seed.instance(project.name, 'wheel')
  },
}
const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` })

test.describe('in a list', () => {
  test.use({ scene: mill })
  test.beforeEach(async ({ page }) => {
    await page.goto('/projects/mill/disks')
    await expect(heading(page, 'Disks')).toBeVisible()
    await expect(row(page, 'axle')).toBeVisible()
  })

  test('rows are navigated, selected and opened', async ({ page }) => {
    const first = row(page, 'axle').getByText('axle', { exact: true })
    await page.keyboard.press('j')
    await expect(first).toBeFocused()
    await page.keyboard.press('k')
    await expect(first).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowDown')
    await expect(row(page, 'cog').getByText('cog', { exact: true })).toBeFocused()
    await page.keyboard.press('x')
    await expect(box(page, 'cog')).toBeChecked()
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('Shift+X')
    await expect(page.getByText('3 selected')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('toolbar', { name: 'Bulk actions' })).toBeHidden()
    await expect(first).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/projects/mill/disks/beam')
    await closeByEscape(page)
    await expect(page).toHaveURL('/projects/mill/disks')
    await expectAccessible(page)
  })

  test('the actions of a row, of the selection, and of the list @long', async ({ page }) => {
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('.')
    const menu = page.getByRole('menu', { name: 'Row actions' })
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    // In a menu, letters search for an item.
    await page.keyboard.press('c')
    await expect(page).toHaveURL('/projects/mill/disks')
    await closeByEscape(page)
    await expect(row(page, 'beam').getByRole('button', { name: 'Row actions' })).toBeFocused()
    await page.keyboard.press('x')
    const bar = page.getByRole('toolbar', { name: 'Bulk actions' })
    await expect(bar).toBeVisible()
    await page.keyboard.press('.')
    await expect(bar.getByRole('button').first()).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox', { name: 'Search disks' })
    await expect(search).toBeFocused()
    await page.keyboard.type('jxc')
    await expect(search).toHaveValue('jxc')
    await expect(page).toHaveURL(/q=jxc/)
    await page.keyboard.press('Escape')
    await search.blur()
    await page.keyboard.press('c')
    await expect(dialog(page, 'Create disk')).toBeVisible()
    // Not in a dialog either, not even on its buttons.
    await dialog(page, 'Create disk').getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.type('?gi')
    await expect(page).toHaveURL('/projects/mill/disks-new')
    await expect(dialog(page, 'Keyboard shortcuts')).toBeHidden()
  })

  test('Tab reaches one row, in three steps from anywhere @long', async ({ page }) => {
    await page.getByRole('link', { name: 'Instances', exact: true }).first().focus()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await expect(heading(page, 'Snapshots')).toBeFocused()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expect(heading(page, 'Disks')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Skip to table' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(row(page, 'axle').getByText('axle', { exact: true })).toBeFocused()
    const menu = (name: string) => row(page, name).getByRole('button', { name: 'Row actions' })
    await page.keyboard.press('Tab')
    await expect(menu('axle')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.locator('tbody :focus')).toHaveCount(0)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('j')
    await page.keyboard.press('Tab')
    await expect(menu('beam')).toBeFocused()
  })

  test('the help lists every page of the sidebar @long', async ({ page }) => {
    await page.keyboard.press('?')
    const help = dialog(page, 'Keyboard shortcuts')
    await expect(help.getByText('Select the row', { exact: true })).toBeVisible()
    await expect(help.getByText('Floating IPs of the project')).toBeVisible()
    await expectAccessible(page)
    await closeByEscape(page)
    await expect(help).toBeHidden()
    for (const [key, title] of Object.entries({
      i: 'Instances',
      s: 'Snapshots',
      m: 'Project Images',
      f: 'Floating IPs',
      a: 'Affinity Groups',
      t: 'Jobs',
      k: 'SSH Keys',
      u: 'Profile',
      p: 'Projects',
    })) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(heading(page, title)).toBeVisible()
      if (title === 'Jobs') await page.goBack()
    }
  })
})
