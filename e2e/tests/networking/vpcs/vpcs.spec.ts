import { expectAccessible } from '../../../support/accessibility.ts'
import { hold } from '../../../support/faults.ts'
import { boxOfAll, bulkAction, item, jobDialog } from '../../../support/jobs.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import { dialog, expectFieldError, heading, row, rowAction, toasts } from '../../../support/ui.ts'

test('a VPC is created, with a prefix that is validated while typing', async ({
  page,
  project,
  api,
}) => {
  await page.goto(`/projects/${project.name}/vpcs`)
  await expect(row(page, 'default')).toContainText('Default VPC')
  await page.getByRole('link', { name: 'New VPC' }).click()
  await expect(page).toHaveTitle('New VPC / VPCs / mill / Projects / Steading Console')
  const form = dialog(page, 'Create VPC')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('yard')
  await form.getByRole('textbox', { name: 'Description' }).fill('Behind the mill')
  const prefix = form.getByRole('textbox', { name: 'IPv6 prefix' })
  await prefix.fill('fd00::/64')
  await form.getByRole('button', { name: 'Create VPC' }).click()
  await expectFieldError(prefix, 'Width must be 48')
  await expectFieldError(form.getByRole('textbox', { name: 'DNS name' }), 'DNS name is required')
  await prefix.fill(' fd12:3456:789a::/48 ')
  await form.getByRole('textbox', { name: 'DNS name' }).fill('yard')
  await form.getByRole('button', { name: 'Create VPC' }).click()
  await expect(toasts(page)).toContainText('VPC yard created')
  await expect(heading(page, 'yard')).toBeVisible()
  const properties = page.getByLabel('Properties table')
  await expect(properties).toContainText('Behind the mill')
  await expect(properties).toContainText('fd12:3456:789a::/48')
  await page.getByRole('tab', { name: 'VPC Subnets' }).click()
  await expect(page).toHaveURL('/projects/mill/vpcs/yard/subnets')
  await expect(row(page, 'default')).toContainText('172.30.0.0/22')
  await expect(page).toHaveTitle('VPC Subnets / yard / VPCs / mill / Projects / Steading Console')
  const vpc = await ok(api.vpcView({ path: { vpc: 'yard' }, query: { project: 'mill' } }))
  expect(vpc).toMatchObject({ dnsName: 'yard', ipv6Prefix: 'fd12:3456:789a::/48' })
})

test('a VPC is renamed over its page @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/vpcs`)
  await rowAction(page, 'default', 'Edit')
  await expect(page).toHaveTitle('Edit VPC / default / VPCs / mill / Projects / Steading Console')
  const form = dialog(page, 'Edit VPC')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('yard')
  // An empty field leaves the value unchanged.
  await form.getByRole('textbox', { name: 'DNS name' }).fill('')
  await form.getByRole('button', { name: 'Update VPC' }).click()
  await expect(toasts(page)).toContainText('VPC yard updated')
  await expect(heading(page, 'yard')).toBeVisible()
  await expect(page.getByLabel('Properties table')).toContainText('DNS Namedefault')
})

test('the list shows the number of firewall rules, and a missing VPC is reported @long', async ({
  page,
  project,
  consoleErrors,
}) => {
  consoleErrors.expect(/404|Not found/)
  await page.goto(`/projects/${project.name}/vpcs`)
  await expect(row(page, 'default').getByRole('link', { name: '3' })).toBeVisible()
  await row(page, 'default').getByRole('link', { name: 'default', exact: true }).click()
  await expect(heading(page, 'default')).toBeVisible()
  await page.goto(`/projects/${project.name}/vpcs/nosuch`)
  await expect(heading(page, 'Page not found')).toBeVisible()
})

test('a VPC is deleted with its contents, and the instances in it are stopped @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  const query = { project: project.name }
  await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_ipv4' },
    start: true,
  })
  await seed.until(project.name, 'wheel', 'running')
  await page.goto(`/projects/${project.name}/vpcs/default/subnets`)
  // A question whose preview is late has a fixed height, in which the preview scrolls.
  const release = await hold(page, '**/x/v1/**/deletion')
  await page.getByRole('button', { name: 'VPC actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = dialog(page, 'Delete VPC')
  await expect(question.getByRole('group', { name: 'Loading' })).toBeVisible()
  release()
  const lines = question.getByRole('listitem')
  await expect(lines.filter({ hasText: 'Network interface net0 (wheel)' })).toContainText(
    'First: stop its instance',
  )
  await expect(question.getByRole('heading', { level: 3 })).toHaveText(['Deleted with it'])
  await expectAccessible(page)
  for (const text of [
    'Subnet default (172.30.0.0/22)',
    'Router system',
    'Firewall rule allow-ssh',
  ]) {
    await expect(lines.filter({ hasText: text })).toBeVisible()
  }
  await question.getByRole('button', { name: 'Delete with 2 other things' }).click()
  await expect(jobDialog(page).getByText('4 steps done').first()).toBeVisible()
  await expect(item(page, 'net0 (wheel)')).toContainText('Delete network interface')
  await expect(item(page, 'default (default)')).toContainText('Delete subnet')
  await jobDialog(page).getByRole('button', { name: 'Close' }).first().click()
  await expect(page).toHaveURL(`/projects/${project.name}/vpcs`)
  await expect(page.getByRole('heading', { name: 'No VPCs' })).toBeVisible()
  expect((await ok(api.vpcList({ query }))).items).toEqual([])
  await seed.until(project.name, 'wheel', 'stopped')
})

test('many VPCs are deleted with their subnets @long', async ({ page, project, api }) => {
  const query = { project: project.name }
  await ok(api.vpcCreate({ query, body: { name: 'yard', description: '', dnsName: 'yard' } }))
  await page.goto(`/projects/${project.name}/vpcs`)
  await boxOfAll(page).check()
  await bulkAction(page, 'Delete').click()
  await expect(item(page, 'yard')).toContainText('VPC cannot be deleted while VPC Subnets exist')
  await jobDialog(page)
    .getByRole('checkbox', {
      name: 'Delete their subnets and network interfaces first',
    })
    .check()
  await jobDialog(page).getByRole('button', { name: 'Delete 2 VPCs' }).click()
  await expect(jobDialog(page).getByText('4 steps done').first()).toBeVisible()
  expect((await ok(api.vpcList({ query }))).items).toEqual([])
})
