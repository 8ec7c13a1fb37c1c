import { expectAccessible } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, heading, openMenuOf, toasts } from '../../../support/ui.ts'

test('single actions are listed with their outcome, and taken again @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  const query = { project: project.name }
  await seed.disk(project.name, 'flour')
  await seed.instance(project.name, 'wheel')
  const path = { disk: 'flour' }
  await ok(api.instanceDiskAttach({ path: { instance: 'wheel' }, query, body: path }))
  // Refused, because the disk is attached.
  expect((await api.diskDelete({ path, query })).type).toBe('error')
  await page.goto('/jobs')
  await expect(heading(page, 'Jobs')).toBeVisible()
  await page.getByRole('tab', { name: 'Single actions' }).click()
  const refused = page.getByRole('row').filter({ hasText: 'Could not delete disk flour' })
  await expect(refused).toContainText('disk flour')
  await expect(refused).toContainText('Refused')
  await expectAccessible(page)
  await ok(api.instanceDiskDetach({ path: { instance: 'wheel' }, query, body: path }))
  const menu = await openMenuOf(refused)
  await menu.getByRole('menuitem', { name: 'Do again' }).click()
  await confirm(page, 'Do again')
  await expect(toasts(page)).toContainText('Done again')
  await expect(refused.filter({ hasText: 'Done' })).toBeVisible()
  expect((await api.diskView({ path, query })).type).toBe('error')
})

test('the actions of everyone are listed live, by project', async ({
  page,
  project,
  api,
  seed,
}) => {
  await seed.disk(project.name, 'flour')
  await ok(api.projectCreate({ body: { name: 'cellar', description: '' } }))
  await page.goto('/jobs?tab=actions')
  await page.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitemradio', { name: /^Everyone/ }).click()
  const table = page.getByRole('table', { name: 'Actions' })
  await expect(table.getByRole('row').filter({ hasText: 'disk flour' })).toContainText('You')
  await expectAccessible(page)
  await seed.disk(project.name, 'salt')
  await expect(table.getByRole('row').filter({ hasText: 'disk salt' })).toBeVisible()
  await page.getByRole('button', { name: /^Project/ }).click()
  await page.getByRole('menuitemradio', { name: 'cellar' }).click()
  await expect(table.getByText('disk salt')).toBeHidden()
  await expect(table.getByRole('row').filter({ hasText: 'project cellar' })).toBeVisible()
})
