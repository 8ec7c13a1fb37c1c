import { expectAccessible } from '../../../support/accessibility.ts'
import { boxOfAll, bulkAction, item, jobDialog } from '../../../support/jobs.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../../../support/ui.ts'

const query = { project: 'mill', vpc: 'default' }

test('a subnet is created, with the refusals of the control plane and a custom router @long', async ({
  page,
  project,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400/)
  await ok(api.vpcRouterCreate({ query, body: { name: 'by-hand', description: '' } }))
  await page.goto(`/projects/${project.name}/vpcs/default/subnets`)
  await page.getByRole('link', { name: 'New VPC subnet' }).click()
  await expect(page).toHaveTitle(
    'New Subnet / VPC Subnets / default / VPCs / mill / Projects / Steading Console',
  )
  const form = dialog(page, 'Create VPC subnet')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('backend')
  const block = form.getByRole('textbox', { name: 'IPv4 block' })
  const create = form.getByRole('button', { name: 'Create VPC subnet' })
  await block.fill('172.30.2.0/24')
  await create.click()
  await expect(form.getByRole('alert')).toContainText(
    "IP address range '172.30.2.0/24' conflicts with an existing subnet",
  )
  await block.fill('10.7.0.0/24')
  await form.getByRole('button', { name: 'Custom router' }).click()
  // The system router is not offered.
  await expect(page.getByRole('option')).toHaveText(['None', 'by-hand'])
  await page.getByRole('option', { name: 'by-hand' }).click()
  await create.click()
  await expect(toasts(page)).toContainText('Subnet backend created')
  await expect(page).toHaveURL('/projects/mill/vpcs/default/subnets')
  await expect(row(page, 'backend')).toContainText('10.7.0.0/24')
  await expect(row(page, 'backend')).toContainText('by-hand')
})

test('a subnet is renamed, keeps its router, and is deleted @long', async ({
  page,
  project,
  api,
}) => {
  const router = await ok(
    api.vpcRouterCreate({ query, body: { name: 'by-hand', description: '' } }),
  )
  await ok(
    api.vpcSubnetCreate({
      query,
      body: {
        name: 'backend',
        description: '',
        ipv4Block: '10.7.0.0/24',
        customRouter: 'by-hand',
      },
    }),
  )
  await page.goto(`/projects/${project.name}/vpcs/default/subnets`)
  await rowAction(page, 'backend', 'Edit')
  const form = dialog(page, 'Edit VPC subnet')
  await expect(form.getByLabel('Properties table')).toContainText('10.7.0.0/24')
  await expect(form.getByRole('button', { name: 'Custom router' })).toContainText('by-hand')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('stores')
  await form.getByRole('button', { name: 'Update VPC subnet' }).click()
  await expect(toasts(page)).toContainText('Subnet stores updated')
  await expect(row(page, 'stores')).toContainText('by-hand')
  const subnet = await ok(api.vpcSubnetView({ path: { subnet: 'stores' }, query }))
  expect(subnet.customRouterId).toBe(router.id)

  await rowAction(page, 'stores', 'Delete')
  await confirm(page, 'Delete VPC subnet')
  await expect(toasts(page)).toContainText('VPC subnet deleted')
  await expect(row(page, 'stores')).toBeHidden()
})

test('subnets are deleted together, with the interfaces in them @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  const body = { name: 'backend', description: '', ipv4Block: '10.7.0.0/24' }
  await ok(api.vpcSubnetCreate({ query, body }))
  await page.goto(`/projects/${project.name}/vpcs/default/subnets`)
  await rowAction(page, 'default', 'Delete')
  const question = dialog(page, 'Delete VPC subnet')
  await expect(
    question.getByRole('listitem').filter({ hasText: 'Network interface net0 (wheel)' }),
  ).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()

  await boxOfAll(page).check()
  await bulkAction(page, 'Delete').click()
  await expect(item(page, 'default (default)')).toContainText(
    'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
  )
  await jobDialog(page)
    .getByRole('checkbox', { name: 'Delete their network interfaces first' })
    .check()
  await jobDialog(page).getByRole('button', { name: 'Delete 2 subnets' }).click()
  await expect(jobDialog(page).getByText('3 steps done').first()).toBeVisible()
  expect((await ok(api.vpcSubnetList({ query }))).items).toEqual([])
})
