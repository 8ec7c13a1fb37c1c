import { readFile } from 'node:fs/promises'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, heading, row, rowAction, toasts } from '../../../support/ui.ts'

test('a bundle is collected, read, saved, commented and deleted @long', async ({ page }) => {
  await page.goto('/system/support-bundles-new')
  const form = dialog(page, 'Collect support bundle')
  const comment = form.getByRole('textbox', { name: 'Comment' })
  await comment.fill('ü'.repeat(2049))
  await form.getByRole('button', { name: 'Collect', exact: true }).click()
  await expect(form.getByText('User comment cannot exceed 4096 bytes')).toBeVisible()
  await comment.fill('It is slow')
  await form.getByRole('button', { name: 'Collect', exact: true }).click()
  await expect(toasts(page)).toContainText('Support bundle is being collected')
  const link = page.getByRole('link', { name: /^support-bundle-/ })
  const name = (await link.textContent())!
  await expect(row(page, name)).toContainText('It is slow')
  await expect(row(page, name)).toContainText('active')

  await link.click()
  const files = page.getByRole('table', { name: 'Files' })
  await page.getByRole('searchbox', { name: 'Search files' }).fill('sleds')
  await expect(files.getByRole('button', { name: /^(?!Row actions).*\.json$/ })).toHaveText([
    'inventory/sleds.json',
  ])
  await files.getByRole('button', { name: 'inventory/sleds.json', exact: true }).click()
  const preview = dialog(page, 'sleds.json')
  await expect(preview.getByRole('group', { name: 'Contents of sleds.json' })).toContainText(
    '"usable_hardware_threads"',
  )
  const saved = page.waitForEvent('download')
  await preview.getByRole('button', { name: 'Download' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  expect(JSON.parse(text).length).toBeGreaterThan(0)
  await preview.getByRole('button', { name: 'Close' }).first().click()
  const zip = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect((await zip).suggestedFilename()).toBe(`${name}.zip`)
  const bytes = await readFile(await (await zip).path())
  expect(bytes.toString('latin1', 0, 4)).toBe('PK\x03\x04')

  await page.getByRole('button', { name: 'Support bundle actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit comment' }).click()
  const edit = dialog(page, 'Edit comment')
  await edit.getByRole('textbox', { name: 'Comment' }).fill('It was the disk')
  await edit.getByRole('button', { name: 'Update support bundle' }).click()
  await expect(page.getByText('It was the disk')).toBeVisible()

  await page.getByRole('link', { name: 'Support Bundles' }).first().click()
  await expect(heading(page, 'Support Bundles')).toBeVisible()
  await rowAction(page, name, 'Delete')
  await confirm(page, 'Delete support bundle')
  await expect(page.getByText('No support bundles')).toBeVisible()
})
