/** Routers of a VPC and their routes. */
import type { ApiClient } from '@steading/api/client'
import { expectAccessible } from '../../support/accessibility.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  confirm,
  dialog,
  expectDisabled,
  heading,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const VPC = '/projects/mill/vpcs/default'
const inVpc = { project: 'mill', vpc: 'default' }

const addRouter = (api: ApiClient, name: string) =>
  ok(api.vpcRouterCreate({ query: inVpc, body: { name, description: '' } }))

test('a router is created, with a route to a gateway', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/vpcs/default/routers`)
  await page.getByRole('link', { name: 'New router' }).click()
  await expect(page).toHaveTitle(
    'New Router / Routers / default / VPCs / mill / Projects / Steading Console',
  )
  const form = dialog(page, 'Create router')
  await form.getByRole('textbox', { name: 'Name' }).fill('detour')
  await form.getByRole('button', { name: 'Create router' }).click()
  await expect(toasts(page)).toContainText('Router detour created')
  await page.getByRole('link', { name: 'detour' }).click()
  await expect(heading(page, 'detour')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No routes' })).toBeVisible()

  await page.getByRole('link', { name: 'New route' }).last().click()
  const route = dialog(page, 'Create route')
  await route.getByRole('textbox', { name: 'Name' }).fill('out')
  await route.getByRole('button', { name: 'Create route' }).click()
  await expect(route.getByText('Not a valid IP address')).toHaveCount(2)
  await route.getByRole('button', { name: 'Destination type' }).click()
  await page.getByRole('option', { name: 'IP network' }).click()
  await expect(route.getByText('Not a valid IP address')).toHaveCount(1)
  await route.getByRole('textbox', { name: 'Destination value' }).fill('0.0.0.0/0')
  await route.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Internet gateway' }).click()
  await expect(route.getByText('Not a valid IP address')).toHaveCount(0)
  await route.getByRole('combobox', { name: 'Target value' }).click()
  await page.getByRole('option', { name: 'default' }).click()
  await route.getByRole('button', { name: 'Create route' }).click()
  await expect(toasts(page)).toContainText('Route out created')
  const cells = row(page, 'out').getByRole('cell')
  await expect(cells.filter({ hasText: 'IP network' })).toHaveText('IP network0.0.0.0/0')
  await expect(cells.filter({ hasText: 'Gateway' })).toHaveText('Gatewaydefault')
})

test('a route is changed and deleted @long', async ({ page, project, api }) => {
  const router = await addRouter(api, 'detour')
  await ok(
    api.vpcRouterRouteCreate({
      query: { router: router.id },
      body: {
        name: 'out',
        description: 'Away',
        destination: { type: 'ip', value: '10.0.0.1' },
        target: { type: 'ip', value: '10.0.0.2' },
      },
    }),
  )
  await page.goto(`/projects/${project.name}/vpcs/default/routers/detour/routes/out/edit`)
  const form = dialog(page, 'Edit route')
  await expect(form.getByRole('textbox', { name: 'Target value' })).toHaveValue('10.0.0.2')
  await form.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Drop' }).click()
  await expect(form.getByRole('textbox', { name: 'Target value' })).toHaveCount(0)
  await form.getByRole('button', { name: 'Update route' }).click()
  await expect(toasts(page)).toContainText('Route out updated')
  await expect(row(page, 'out')).toContainText('Drop')
  await rowAction(page, 'out', 'Delete')
  await confirm(page, 'Delete route')
  await expect(page.getByRole('heading', { name: 'No routes' })).toBeVisible()
})

test('system routers and routes show that they cannot be deleted @long', async ({
  page,
  project,
}) => {
  await page.goto(`/projects/${project.name}/vpcs/default/routers/system`)
  await expectDisabled(
    page.getByRole('button', { name: 'New route' }),
    'User-provided routes cannot be added to a system router',
  )
  const menu = await openRowActions(page, 'vpc subnet')
  await expect(menu.getByRole('menuitem', { name: 'Edit' })).toHaveAccessibleDescription(
    'Routes of type VPC Subnet within the system router are not modifiable',
  )
  await expect(menu.getByRole('menuitem', { name: 'Delete' })).toHaveAccessibleDescription(
    'System routes cannot be deleted',
  )
  await menu.press('Escape')
  await page.getByRole('link', { name: 'default-v6' }).click()
  const form = dialog(page, 'Edit route')
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeDisabled()
  await expect(form.getByRole('textbox', { name: 'Destination value' })).toBeDisabled()
  await expect(form.getByRole('region', { name: 'Effect on connections' })).toContainText(
    'No connection is opened or closed.',
  )
  await form.getByRole('button', { name: 'Target type' }).click()
  await page.getByRole('option', { name: 'Drop' }).click()
  await form.getByRole('button', { name: 'Update route' }).click()
  await expect(toasts(page)).toContainText('Route default-v6 updated')
  await expect(row(page, 'default-v6')).toContainText('Drop')
})

test('a route to a subnet opens, with nothing to change @long', async ({ page, project }) => {
  await page.goto(`/projects/${project.name}/vpcs/default/routers/system/routes/default/edit`)
  const form = dialog(page, 'Edit route')
  const reason = 'Routes of type VPC Subnet within the system router are not modifiable'
  await expect(form.getByText(reason).first()).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeDisabled()
  await expect(form.getByRole('button', { name: 'Target type' })).toBeDisabled()
  await expectDisabled(form.getByRole('button', { name: 'Update route' }), reason)
  await expectAccessible(page)
})

test('a router is deleted with its routes, as its confirmation shows @long', async ({
  page,
  project,
  api,
}) => {
  const router = await addRouter(api, 'detour')
  await ok(
    api.vpcRouterRouteCreate({
      query: { router: router.id },
      body: {
        name: 'out',
        description: '',
        destination: { type: 'ip', value: '10.0.0.1' },
        target: { type: 'drop' },
      },
    }),
  )
  await page.goto(`/projects/${project.name}/vpcs/default/routers`)
  const menu = await openRowActions(page, 'system')
  await expect(menu.getByRole('menuitem', { name: 'Delete' })).toHaveAccessibleDescription(
    'System routers cannot be deleted',
  )
  await menu.press('Escape')
  await rowAction(page, 'detour', 'Delete')
  const question = dialog(page, 'Delete VPC router')
  await expect(question).toContainText('Route out (10.0.0.1)')
  await expectAccessible(page)
  await confirm(page, 'Delete VPC router')
  await expect(toasts(page)).toContainText('Router detour deleted')
  await expect(page.getByRole('link', { name: 'detour' })).toHaveCount(0)
})

test('the tab shows a router created elsewhere @long', async ({ page, project, api }) => {
  await page.goto(VPC.replace('mill', project.name) + '/routers')
  await expect(row(page, 'system')).toBeVisible()
  await addRouter(api, 'elsewhere')
  await expect(row(page, 'elsewhere')).toBeVisible()
})
