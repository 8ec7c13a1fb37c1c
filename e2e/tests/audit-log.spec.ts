import { expect, test } from '../support/test.ts'
import { closeByEscape, dialog, heading } from '../support/ui.ts'

test('the audit log follows what is done, finds it, tells all of it, and exports it', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.disk(project.name, 'data')
  await page.goto('/projects')
  await page.getByRole('link', { name: 'Audit Log' }).click()
  await expect(heading(page, 'Audit log')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect(rows.filter({ hasText: 'disk data' })).toContainText('Succeeded')

  // What is done meanwhile appears by itself.
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
  await closeByEscape(page)
  await expect(panel).toBeHidden()

  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/)

  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows.filter({ hasText: 'disk data' })).toBeVisible()
  await expect(page).toHaveURL('/audit-log')
})

test('an instance shows what was done with it, and by whom', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances/wheel/storage')
  await page.getByRole('tab', { name: 'History' }).click()
  const rows = page.getByRole('table', { name: 'History' }).getByRole('row')
  await expect(rows.filter({ hasText: 'admin' }).first()).toContainText('Succeeded')
})
