import { restoreMessages } from '@steading/api/rules'
import { expectAccessible } from '../../../support/accessibility.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, heading, row, rowAction, toasts } from '../../../support/ui.ts'

test('a deletion is undone from its message, and later under another name', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  // A name that is taken.
  consoleErrors.expect(/status of 400|API error/)
  const query = { project: project.name }
  await ok(api.deletionPolicyUpdate({ body: { restorableHours: 24 } }))
  const disk = await seed.disk(project.name, 'grain')
  await seed.disk(project.name, 'flour')
  await page.goto('/projects/mill/disks')
  await rowAction(page, 'grain', 'Delete')
  const asking = dialog(page, 'Delete disk')
  await expect(asking.getByText(/It can be restored for 24 hours, until /)).toBeVisible()
  await expectAccessible(page)
  await confirm(page, 'Delete disk')
  const undo = toasts(page).getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await expect(row(page, 'grain')).toHaveCount(0)
  await undo.click()
  await expect(toasts(page).getByText('Disk grain restored')).toBeVisible()
  await expect(row(page, 'grain')).toBeVisible()
  expect((await ok(api.diskView({ path: { disk: 'grain' }, query }))).id).toBe(disk.id)

  await ok(api.diskDelete({ path: { disk: 'grain' }, query }))
  await seed.disk(project.name, 'grain')
  await ok(api.diskDelete({ path: { disk: 'flour' }, query }))
  await page.getByRole('button', { name: 'Maintain' }).click()
  await page.getByRole('link', { name: 'Recently Deleted' }).click()
  await expect(heading(page, 'Recently Deleted')).toBeVisible()
  await expect(row(page, 'grain')).toContainText('Disk')
  await expectAccessible(page)
  await rowAction(page, 'grain', 'Restore')
  const form = dialog(page, 'Restore disk')
  await expect(form.getByText('Another disk is called grain now')).toBeVisible()
  await form.getByRole('button', { name: 'Restore' }).click()
  await expect(form.getByText('Disk name already exists')).toBeVisible()
  await expectAccessible(page)
  const name = form.getByRole('textbox', { name: 'Name' })
  await expect(name).toHaveValue('grain')
  await name.fill('old-grain')
  await form.getByRole('button', { name: 'Restore' }).click()
  await expect(toasts(page).getByText('Disk old-grain restored')).toBeVisible()
  await expect(row(page, 'grain')).toHaveCount(0)

  await rowAction(page, 'flour', 'Delete permanently')
  await confirm(page, 'Delete permanently')
  await expect(page.getByText('No deleted resources')).toBeVisible()
  await page.getByRole('button', { name: 'Deletion policy' }).click()
  const policy = dialog(page, 'Deletion policy')
  await expectAccessible(page)
  await policy.getByRole('radio', { name: /^Delete at once/ }).check()
  await policy.getByRole('button', { name: 'Update deletion policy' }).click()
  await expect(page.getByText('Deleted resources are not kept')).toBeVisible()
})

test('a job that deleted an instance with its disk is undone by another job @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await ok(api.deletionPolicyUpdate({ body: { restorableHours: 1 } }))
  await seed.disk(project.name, 'grain')
  const instance = await seed.instance(project.name, 'wheel', {
    disks: [{ type: 'attach', name: 'grain' }],
  })
  await page.goto('/projects/mill/instances')
  await rowAction(page, 'wheel', 'Delete')
  const asking = dialog(page, 'Delete instance')
  await asking.getByRole('checkbox', { name: /^Delete it too/ }).check()
  await asking.getByRole('button', { name: 'Delete with 1 other thing' }).click()
  const job = page.getByRole('dialog')
  await job.getByRole('button', { name: 'Undo' }).click()
  await job.getByRole('button', { name: 'Restore 2 deleted resources' }).click()
  await expect(job.getByText('2 restored').first()).toBeVisible()
  await job.getByRole('button', { name: 'Close' }).last().click()
  await expect(row(page, 'wheel')).toBeVisible()
  const { items } = await ok(api.instanceDiskList({ path: { instance: instance.id } }))
  expect(items.map(({ name }) => name)).toEqual(['grain'])
})

test('a subnet whose VPC is deleted too says so @long', async ({ page, project, api }) => {
  const query = { project: project.name }
  await ok(api.deletionPolicyUpdate({ body: { restorableHours: 1 } }))
  const vpc = { ...query, vpc: 'default' }
  for (const { id } of (await ok(api.vpcSubnetList({ query: vpc }))).items) {
    await ok(api.vpcSubnetDelete({ path: { subnet: id } }))
  }
  await ok(api.vpcDelete({ path: { vpc: 'default' }, query }))
  await page.goto('/projects/mill/deleted?kind=vpc_subnet')
  await rowAction(page, 'default (default)', 'Restore')
  const form = dialog(page, 'Restore subnet')
  const reason = restoreMessages.parentDeleted('VPC', 'default')
  await expect(form.getByText(`Not possible: ${reason}`).first()).toBeVisible()
  await expect(form.getByRole('button', { name: 'Restore' })).toBeDisabled()
})
