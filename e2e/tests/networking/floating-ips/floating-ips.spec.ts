import { expectAccessible, expectNoSidewaysScroll } from '../../../support/accessibility.ts'
import { addPool } from '../../../support/networks.ts'
import { ok } from '../../../support/seed.ts'
import { expect, test } from '../../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../../support/ui.ts'

const extra = { range: ['203.0.113.10', '203.0.113.20'] as [string, string] }

test('an address is reserved from a chosen pool @long', async ({ page, project, host }) => {
  await addPool(host, 'extra', extra)
  await addPool(host, 'casts', { poolType: 'multicast', isDefault: true })
  await page.goto(`/projects/${project.name}/floating-ips`)
  await expect(page.getByRole('heading', { name: 'No floating IPs' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'New Floating IP' }).last().click()
  await expect(page).toHaveTitle(
    'New Floating IP / Floating IPs / mill / Projects / Steading Console',
  )
  const form = dialog(page, 'Create floating IP')
  // The only default for instances.
  const pool = form.getByRole('button', { name: 'Pool' })
  await expect(pool).toContainText('default')
  await form.getByRole('textbox', { name: 'Name' }).fill('door')
  await form.getByRole('textbox', { name: 'Description' }).fill('Where customers knock')
  await pool.click()
  await expect(page.getByRole('option')).toHaveText([/^default.*default.*v4/, /^extra.*v4/])
  await page.getByRole('option', { name: 'extra' }).click()
  await form.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(page).toHaveURL('/projects/mill/floating-ips')
  await expect(toasts(page)).toContainText('Floating IP door created')
  const cells = row(page, 'door').getByRole('cell')
  await expect(cells.nth(2)).toHaveText('Where customers knock')
  await expect(cells.nth(3)).toHaveText('203.0.113.10')
  await expect(cells.nth(5)).toHaveText('—')

  await row(page, 'door').getByRole('button', { name: 'extra' }).click()
  await expect(dialog(page, 'IP pool details')).toContainText('unicast')
})

test('an explicit address is reserved, from whichever pool contains it @long', async ({
  page,
  project,
  host,
  api,
}) => {
  await addPool(host, 'extra', extra)
  await page.goto(`/projects/${project.name}/floating-ips-new`)
  const form = dialog(page, 'Create floating IP')
  await form.getByRole('textbox', { name: 'Name' }).fill('door')
  await form.getByRole('radio', { name: 'This one' }).check()
  const address = form.getByRole('textbox', { name: 'IP address' })
  await address.fill('203.0.113')
  await form.getByRole('button', { name: 'Create floating IP' }).click()
  await expectFieldError(address, 'Not a valid IP address')
  await address.fill('203.0.113.17')
  await form.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(toasts(page)).toContainText('Floating IP door created')
  const query = { project: project.name }
  expect(await ok(api.floatingIpView({ path: { floatingIp: 'door' }, query }))).toMatchObject({
    ip: '203.0.113.17',
  })
})

test('with a default of each version, the user must choose @long', async ({
  page,
  project,
  host,
}) => {
  await addPool(host, 'sixes', { ipVersion: 'v6', isDefault: true, range: ['fd01::1', 'fd01::9'] })
  await page.goto(`/projects/${project.name}/floating-ips-new`)
  const form = dialog(page, 'Create floating IP')
  await form.getByRole('textbox', { name: 'Name' }).fill('door')
  await form.getByRole('button', { name: 'Create floating IP' }).click()
  await expect(form.getByText('Pool is required')).toBeVisible()
  await expectAccessible(page)
  await closeByEscape(page)
  const guard = dialog(page, 'Confirm navigation')
  await guard.getByRole('button', { name: 'Keep editing' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('door')
})

test('a taken name is reported at the field @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await seed.floatingIp(project.name, 'door')
  await page.goto(`/projects/${project.name}/floating-ips-new`)
  const form = dialog(page, 'Create floating IP')
  await form.getByRole('textbox', { name: 'Name' }).fill('door')
  await form.getByRole('button', { name: 'Create floating IP' }).click()
  await expectFieldError(form.getByRole('textbox', { name: 'Name' }), 'Name already exists')
})

test('an address is renamed @long', async ({ page, project, seed }) => {
  await seed.floatingIp(project.name, 'door')
  await page.goto(`/projects/${project.name}/floating-ips`)
  await page.getByRole('link', { name: 'door' }).click()
  await expect(page).toHaveURL('/projects/mill/floating-ips/door/edit')
  await expect(page).toHaveTitle(/^Edit Floating IP \/ Floating IPs/)
  const form = dialog(page, 'Edit floating IP')
  await expect(form).toContainText('IP address100.64.0.1')
  await expect(form).toContainText('IP pooldefault')
  await expectAccessible(page)
  await form.getByRole('textbox', { name: 'Name' }).fill('gate')
  await form.getByRole('button', { name: 'Update floating IP' }).click()
  await expect(page).toHaveURL('/projects/mill/floating-ips')
  await expect(toasts(page)).toContainText('Floating IP gate updated')
  await expect(row(page, 'gate')).toBeVisible()
})

test('an address is attached, moved back, and detached @long', async ({ page, project, seed }) => {
  await seed.floatingIp(project.name, 'door')
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/floating-ips`)
  await rowAction(page, 'door', 'Attach')
  const attach = dialog(page, 'Attach floating IP')
  await expect(attach).toContainText('The selected instance will be reachable at 100.64.0.1')
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(attach.getByText('Instance is required')).toBeVisible()
  await attach.getByRole('button', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'wheel' }).click()
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(toasts(page)).toContainText('Floating IP door attached')

  const menu = await openRowActions(page, 'door')
  await expectDisabled(
    menu.getByRole('menuitem', { name: 'Delete' }),
    'This floating IP must be detached from the instance before it can be deleted',
  )
  await menu.getByRole('menuitem', { name: 'Detach' }).click()
  await expect(dialog(page, 'Detach floating IP')).toContainText(
    'Are you sure you want to detach floating IP door from instance wheel? The instance will no longer be reachable at 100.64.0.1.',
  )
  await confirm(page, 'Detach floating IP')
  await expect(toasts(page)).toContainText('Floating IP door detached')
  await rowAction(page, 'door', 'Delete')
  await confirm(page, 'Delete floating IP')
  await expect(toasts(page)).toContainText('Floating IP door deleted')
  await expect(page.getByRole('heading', { name: 'No floating IPs' })).toBeVisible()
})

test('reasons against attaching are shown in the dialog @long', async ({
  page,
  project,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await seed.floatingIp(project.name, 'door')
  await seed.instance(project.name, 'mute')
  await seed.until(project.name, 'mute', 'stopped')
  await page.goto(`/projects/${project.name}/floating-ips`)
  await rowAction(page, 'door', 'Attach')
  const attach = dialog(page, 'Attach floating IP')
  await attach.getByRole('button', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'mute' }).click()
  await attach.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(attach.getByRole('alert')).toContainText(
    'does not have a primary network interface with a VPC-private IPv4 address',
  )
  await expect(toasts(page)).toContainText('Error')
})

test('changes by others are shown without a reload, on a phone too @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await seed.floatingIp(project.name, 'door')
  const { id } = await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_ipv4' },
  })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(`/projects/${project.name}/floating-ips`)
  const link = row(page, 'door').getByRole('link', { name: 'wheel' })
  await expect(row(page, 'door')).toBeVisible()
  await expect(link).toBeHidden()
  await ok(
    api.floatingIpAttach({
      path: { floatingIp: 'door' },
      query: { project: project.name },
      body: { kind: 'instance', parent: id },
    }),
  )
  await expect(link).toBeAttached()
  await seed.floatingIp(project.name, 'window')
  await expect(row(page, 'window')).toBeVisible()
  await expectNoSidewaysScroll(page)
})

test('an address moves between instances, and a failure in between is reported', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400/)
  const instance = { networkInterfaces: { type: 'default_ipv4' } } as const
  const wheel = await seed.instance(project.name, 'wheel', instance)
  const axle = await seed.instance(project.name, 'axle', instance)
  await seed.instance(project.name, 'bare', { networkInterfaces: { type: 'none' } })
  for (const name of ['wheel', 'axle', 'bare']) await seed.until(project.name, name, 'stopped')
  const door = await seed.floatingIp(project.name, 'door')
  await ok(
    api.floatingIpAttach({
      path: { floatingIp: door.id },
      body: { kind: 'instance', parent: wheel.id },
    }),
  )
  await page.goto(`/projects/${project.name}/floating-ips`)
  await rowAction(page, 'door', 'Move')
  const move = dialog(page, 'Move floating IP')
  await move.getByRole('button', { name: 'Instance' }).click()
  await expect(page.getByRole('option')).toHaveText(['axle', 'bare'])
  await page.getByRole('option', { name: 'bare' }).click()
  await expectAccessible(page)
  await move.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(move.getByRole('alert')).toContainText('does not have a primary network interface')
  await expect(move).toContainText('is detached, and leads to no instance')
  await move.getByRole('button', { name: 'Instance' }).click()
  await page.getByRole('option', { name: 'axle' }).click()
  await move.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(toasts(page)).toContainText('Floating IP door moved')
  await expect(row(page, 'door')).toContainText('axle')
  const moved = await ok(api.floatingIpView({ path: { floatingIp: door.id } }))
  expect(moved.instanceId).toBe(axle.id)
})
