import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, expectFieldError, heading, row, rowAction, toasts } from '../../support/ui.ts'

test('a VPC is made, with a prefix that is checked while it is typed', async ({
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

test('a VPC is renamed over its page', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/vpcs`)
  await rowAction(page, 'default', 'Edit')
  await expect(page).toHaveTitle('Edit VPC / default / VPCs / mill / Projects / Steading Console')
  const form = dialog(page, 'Edit VPC')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('yard')
  // What is left empty stays as it is.
  await form.getByRole('textbox', { name: 'DNS name' }).fill('')
  await form.getByRole('button', { name: 'Update VPC' }).click()
  await expect(toasts(page)).toContainText('VPC yard updated')
  await expect(heading(page, 'yard')).toBeVisible()
  await expect(page.getByLabel('Properties table')).toContainText('DNS Namedefault')
})

test('the list says how many firewall rules there are, and leads to a VPC that is missing', async ({
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
