import { missing } from '../../support/faults.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { heading, row } from '../../support/ui.ts'

test.beforeEach(({ consoleErrors }) => {
  consoleErrors.expect(/status of 404|API error|ApiError|GoneError/)
})

test('the open page of a deleted instance reports the deletion, and links to the list', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel')
  await page.goto('/projects/mill/instances/wheel/storage')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await ok(api.instanceDelete({ path: { instance: 'wheel' }, query: { project: 'mill' } }))
  await expect(missing(page)).toContainText('This instance was deleted')
  await expect(missing(page)).toContainText(/wheel was deleted \d+s ago by admin\./)
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await missing(page).getByRole('link', { name: 'Go to Instances' }).click()
  await expect(page.getByRole('heading', { name: 'No instances' })).toBeVisible()
})

test('the pages of a deleted project report the deletion @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await page.goto(`/projects/${project.name}/disks`)
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await seed.project('forge')
  await ok(
    api.vpcSubnetDelete({
      path: { subnet: 'default' },
      query: { project: 'mill', vpc: 'default' },
    }),
  )
  await ok(api.vpcDelete({ path: { vpc: 'default' }, query: { project: 'mill' } }))
  await ok(api.projectDelete({ path: { project: 'mill' } }))
  await expect(missing(page)).toContainText('This project was deleted')
  await expect(page.getByRole('heading', { name: 'No disks' })).toBeHidden()
  await missing(page).getByRole('link', { name: 'Go to Projects' }).click()
  await expect(row(page, 'forge')).toBeVisible()
  await expect(row(page, 'mill')).toBeHidden()
})

test('the id of an instance leads to its page @long', async ({ page, project, seed }) => {
  const { id } = await seed.instance(project.name, 'wheel')
  for (const path of [`/lookup/instances/${id}`, `/lookup/i/${id}`]) {
    await page.goto(path)
    await expect(page).toHaveURL('/projects/mill/instances/wheel/storage')
    await expect(heading(page, 'wheel')).toBeVisible()
  }
})

test('any other id leads nowhere @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  const none = '9b0c4f0e-3d53-4c2b-9c3c-6d2c6f1a7b11'
  for (const path of ['/lookup/instances/wheel', `/lookup/i/${none}`]) {
    await page.goto(path)
    await expect(heading(page, 'Page not found')).toBeVisible()
    await expect(page).toHaveURL(path)
  }
})
