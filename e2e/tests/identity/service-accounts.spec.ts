import { expectAccessible } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import { boxOfAll, bulkAction, jobDialog } from '../../support/jobs.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, openMenuOf, toasts } from '../../support/ui.ts'

test('a service account of a project gets a token and a role, and is deleted', async ({
  page,
  host,
  api,
}) => {
  await ok(api.projectCreate({ body: { name: 'mill', description: '' } }))
  await page.goto('/projects/mill/service-accounts')
  await page.getByRole('button', { name: 'New service account' }).first().click()
  const form = dialog(page, 'Create service account')
  await form.getByRole('textbox', { name: 'Name' }).fill('pipeline')
  await expectAccessible(page)
  await expect(await showAsCode(form, 'curl')).toContainText('/x/v1/service-accounts?project=mill')
  await form.getByRole('button', { name: 'Create service account' }).click()

  const tokens = dialog(page, 'Access tokens of pipeline')
  await expectAccessible(page)
  await tokens.getByRole('button', { name: 'New access token' }).click()
  const token = dialog(page, 'Create access token')
  await token.getByRole('textbox', { name: 'Name' }).fill('builds')
  await token.getByRole('button', { name: 'Create access token' }).click()
  const made = dialog(page, 'Access token created')
  const secret = await made.getByText(/^oxide-token-/).innerText()
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(tokens.getByRole('row').filter({ hasText: 'builds' })).toContainText('All rights')
  await tokens.getByRole('button', { name: 'Close', exact: true }).last().click()
  const list = page.getByRole('table', { name: 'Service accounts' })
  await expect(list.getByRole('link', { name: 'pipeline' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Project Access' }).click()
  await page.getByRole('button', { name: 'Add user or group', exact: true }).click()
  const assign = dialog(page, 'Add user or group')
  await assign.getByRole('combobox', { name: 'User or group' }).fill('pipe')
  await page.getByRole('option', { name: /pipeline.*Service account/ }).click()
  await assign.getByRole('button', { name: 'Assign role' }).click()
  const assigned = page.getByRole('table', { name: 'Project Access' })
  await expect(assigned.getByRole('row').filter({ hasText: 'pipeline' })).toContainText(
    'Service account',
  )
  const asAccount = (path: string) =>
    fetch(host.url + path, { headers: { authorization: `Bearer ${secret}` } })
  expect((await asAccount('/v1/instances?project=mill')).status).toBe(200)

  await page.getByRole('link', { name: 'Service Accounts', exact: true }).click()
  const account = list.getByRole('row').filter({ hasText: 'pipeline' })
  const edit = await openMenuOf(account)
  await edit.getByRole('menuitem', { name: 'Edit' }).click()
  const panel = dialog(page, 'Edit service account')
  await panel.getByRole('textbox', { name: 'Description' }).fill('builds releases')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Update service account' }).click()
  await expect(account).toContainText('builds releases')

  const menu = await openMenuOf(account)
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete service account')
  await expect(toasts(page)).toContainText('Service account deleted')
  await expect(page.getByRole('heading', { name: 'No service accounts' })).toBeVisible()
  expect((await asAccount('/v1/instances?project=mill')).status).toBe(401)
  await page.getByRole('link', { name: 'Project Access' }).click()
  await expect(assigned).toBeVisible()
  await expect(assigned.getByText('pipeline')).toBeHidden()
})

test('service accounts of a silo are deleted in bulk @long', async ({ page, api }) => {
  const made = ['nightly', 'mirror', 'weekly'].map((name) =>
    ok(api.serviceAccountCreate({ body: { name, description: '' } })),
  )
  await Promise.all(made)
  await page.goto('/service-accounts')
  await boxOfAll(page).check()
  await bulkAction(page, 'Delete').click()
  await jobDialog(page).getByRole('button', { name: 'Delete 3 service accounts of a silo' }).click()
  await expect(jobDialog(page).getByText('3 deleted', { exact: true })).toBeVisible()
  expect((await ok(api.serviceAccountSearch({}))).items).toEqual([])
})
