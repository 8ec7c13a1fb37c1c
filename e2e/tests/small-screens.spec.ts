import { expect, test } from '../support/test.ts'
import { choose, confirm, dialog, heading, rowAction, row } from '../support/ui.ts'

const screens = {
  'on a phone': { width: 360, height: 740 },
  'at twice the size': { width: 640, height: 400 },
}

for (const [name, viewport] of Object.entries(screens)) {
  test.describe(name, () => {
    test.use({ viewport })

    // A click requires its target to be visible and not covered by a bar.
    const tag = name === 'on a phone' ? [] : ['@long']
    test('a project and an instance can be created and started', { tag }, async ({ page }) => {
      await page.goto('/projects')
      await page.getByRole('link', { name: 'New project' }).first().click()
      const form = dialog(page, 'Create project')
      await form.getByRole('textbox', { name: 'Name' }).fill('mill')
      await form.getByRole('button', { name: 'Create project' }).click()
      await page.getByRole('link', { name: 'New Instance', exact: true }).click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
      await page.getByRole('checkbox', { name: 'Start Instance' }).click()
      await page.getByRole('tab', { name: 'High Memory' }).click()
      await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
      await page.getByRole('radio', { name: 'None' }).click()
      await page.getByRole('button', { name: 'Create instance' }).click()
      await expect(heading(page, 'wheel')).toBeVisible()
      await page.getByRole('tab', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Policy' }).click()
      await page.getByRole('option', { name: 'Never' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('button', { name: 'Policy' })).toHaveText('Never')
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await dialog(page, 'Navigation').getByRole('link', { name: 'Instances' }).click()
      await rowAction(page, 'wheel', 'Start')
      await confirm(page, 'Start instance')
      await expect(row(page, 'wheel').getByText('running')).toBeVisible()
    })
  })
}

test('the selected tab is visible, however many precede it @long', async ({ page }) => {
  await page.setViewportSize(screens['on a phone'])
  await page.goto('/system/silos/main/scim')
  const last = page.getByRole('tab', { name: 'SCIM' })
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await expect(last).toBeInViewport({ ratio: 1 })
  await last.press('ArrowRight')
  const first = page.getByRole('tab', { name: 'Identity providers' })
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(first).toBeInViewport({ ratio: 1 })
})
