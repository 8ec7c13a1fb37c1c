/** Internet gateways of a VPC, with their pools, addresses and routes. */
import { expectAccessible } from '../../support/accessibility.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../../support/ui.ts'

const inVpc = { project: 'mill', vpc: 'default' }

test('a gateway is created, and a pool and an address are attached @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/vpcs/default/internet-gateways-new`)
  await expect(page).toHaveTitle(/^New Internet Gateway \/ Internet Gateways \/ default \//)
  const form = dialog(page, 'Create internet gateway')
  await form.getByRole('textbox', { name: 'Name' }).fill('door')
  await form.getByRole('button', { name: 'Create internet gateway' }).click()
  await expect(toasts(page)).toContainText('Internet gateway door created')
  const panel = dialog(page, 'Internet gateway')
  await expect(panel).toContainText(
    'This internet gateway does not have any IP addresses attached.',
  )
  await expect(panel).toContainText('This internet gateway does not have any IP pools attached.')
  await expect(panel).toContainText('No VPC router routes target this gateway.')

  await panel.getByRole('button', { name: 'Attach IP pool' }).click()
  const pool = dialog(page, 'Attach IP pool')
  await pool.getByRole('button', { name: 'IP pool' }).click()
  await page.getByRole('option', { name: 'default' }).click()
  await expect(pool.getByRole('textbox', { name: 'Name' })).toHaveValue('default')
  await pool.getByRole('button', { name: 'Attach' }).click()
  await expect(toasts(page)).toContainText('IP pool default attached')
  await expect(panel.getByRole('button', { name: 'Detach default' })).toBeVisible()

  await panel.getByRole('button', { name: 'Attach IP address' }).click()
  const address = dialog(page, 'Attach IP address')
  await address.getByRole('textbox', { name: 'Name' }).fill('front')
  await address.getByRole('textbox', { name: 'IP address' }).fill('203.0.113')
  await address.getByRole('button', { name: 'Attach' }).click()
  await expect(address.getByText('Not a valid IP address')).toBeVisible()
  await address.getByRole('textbox', { name: 'IP address' }).fill('203.0.113.7')
  await address.getByRole('button', { name: 'Attach' }).click()
  await expect(panel.getByRole('link', { name: '203.0.113.7' })).toBeVisible()
  await panel.getByRole('button', { name: 'Close' }).last().click()
  await expect(row(page, 'door')).toContainText('203.0.113.7')
})

test('a gateway shows its routes, and the effects of detaching @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/vpcs/default/internet-gateways/default`)
  const panel = dialog(page, 'Internet gateway')
  const routes = panel.getByRole('table', { name: 'Routes targeting this gateway' })
  await expect(routes.getByRole('row')).toHaveText([
    'RouterRoute',
    'systemdefault-v4',
    'systemdefault-v6',
  ])
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Detach default-v4' }).click()
  await expect(dialog(page, 'Detach IP pool')).toContainText(
    'instances that send from it can no longer reach the internet',
  )
  await confirm(page, 'Detach IP pool')
  await expect(panel).toContainText('This internet gateway does not have any IP pools attached.')
})

test('a gateway is deleted with its attachments and routes @long', async ({
  page,
  project,
  api,
}) => {
  const body = { name: 'front', description: '', address: '203.0.113.7' }
  await ok(api.internetGatewayIpAddressCreate({ query: { ...inVpc, gateway: 'default' }, body }))
  await page.goto(`/projects/${project.name}/vpcs/default/internet-gateways`)
  await rowAction(page, 'default', 'Delete')
  const question = dialog(page, 'Delete internet gateway')
  for (const text of [
    'Gateway IP pool default-v4',
    'Gateway IP address front',
    'Route default-v6',
  ]) {
    await expect(question).toContainText(text)
  }
  await confirm(page, 'Delete internet gateway')
  await expect(toasts(page)).toContainText('Internet gateway default deleted')
  await expect(page.getByRole('heading', { name: 'No internet gateways' })).toBeVisible()
})

test('a new route increases the count of its gateway @long', async ({ page, project, api }) => {
  await page.goto(`/projects/${project.name}/vpcs/default/internet-gateways`)
  await expect(page.getByRole('link', { name: '2', exact: true })).toBeVisible()
  const router = await ok(
    api.vpcRouterCreate({ query: inVpc, body: { name: 'detour', description: '' } }),
  )
  await ok(
    api.vpcRouterRouteCreate({
      query: { router: router.id },
      body: {
        name: 'out',
        description: '',
        destination: { type: 'ip_net', value: '203.0.113.0/24' },
        target: { type: 'internet_gateway', value: 'default' },
      },
    }),
  )
  await expect(page.getByRole('link', { name: '3', exact: true })).toBeVisible()
})
