import { expectAccessible } from '../../support/accessibility.ts'
import { expect, test } from '../../support/test.ts'
import { closeByEscape, dialog, heading, row, rowAction } from '../../support/ui.ts'

test('the audit log is live, searchable, complete and exportable', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.disk(project.name, 'data')
  await page.goto('/projects')
  await page.getByRole('button', { name: 'Access', exact: true }).click()
  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(heading(page, 'Audit Log')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect(rows.filter({ hasText: 'disk data' })).toContainText('Succeeded')

  // New actions appear automatically.
  await api.diskDelete({ path: { disk: 'none' }, query: { project: project.name } })
  const refused = rows.filter({ hasText: 'disk none' })
  await expect(refused).toContainText('Refused')
  await expect(refused).toContainText('admin')

  await page.getByRole('searchbox', { name: 'Search audit log' }).fill('none')
  await expect(rows).toHaveCount(2)
  await refused.getByRole('button').first().click()
  const panel = dialog(page, 'Audit log entry')
  await expect(panel).toContainText('disk_delete')
  await expect(panel).toContainText('HTTP 404')
  await expect(panel).toContainText('Session in a browser')
  // An entry has its own address for sharing; Back closes it.
  await expect(page).toHaveURL(/[?&]entry=[\da-f-]{36}/)
  await page.goBack()
  await expect(panel).toBeHidden()
  await page.goForward()
  await expect(panel).toContainText('disk_delete')
  await closeByEscape(page)
  await expect(panel).toBeHidden()
  await expect(page).not.toHaveURL(/entry=/)

  await rowAction(page, 'disk none', 'Only this operation')
  await page.getByRole('button', { name: 'Result: All results' }).click()
  await page.getByRole('menuitemradio', { name: 'Refused or failed' }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: /^Remove the filter Operation: Delete a .*disk$/ }).click()
  await expect(page).not.toHaveURL(/operation=/)

  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)

  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows.filter({ hasText: 'disk data' })).toBeVisible()
  await expect(page).toHaveURL('/audit-log')
})

test('an instance shows its history with users @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances/wheel/storage')
  await page.getByRole('tab', { name: 'History' }).click()
  const rows = page.getByRole('table', { name: 'History' }).getByRole('row')
  await expect(rows.filter({ hasText: 'admin' }).first()).toContainText('Succeeded')
})

test('everything with a list shows its history @long', async ({ page, project, seed }) => {
  await seed.disk(project.name, 'data')
  await page.goto(`/projects/${project.name}/disks`)
  await rowAction(page, 'data', 'History')
  const history = dialog(page, 'History')
  await expect(history).toContainText('Disk data')
  await expect(history.getByRole('listitem')).toContainText(['Created disk '])
  await expect(history.getByRole('listitem')).toContainText(['admin'])
  await expectAccessible(page)
  const address = page.url()
  await page.goBack()
  await expect(history).toBeHidden()

  // Opened from a panel, it is shown over the panel.
  await row(page, 'data').getByRole('link', { name: 'data' }).click()
  const panel = dialog(page, 'Disk details')
  await panel.getByRole('button', { name: 'History' }).click()
  await expect(history).toContainText('Created disk ')
  await closeByEscape(page)
  await expect(history).toBeHidden()
  await expect(panel).toBeVisible()

  await page.goto(address)
  await expect(history).toContainText('Created disk ')
})

test('the address of a purged entry shows that it is gone @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/404/)
  await page.goto(`/audit-log?entry=${crypto.randomUUID()}`)
  await expect(dialog(page, 'Audit log entry')).toContainText('No such entry')
})
