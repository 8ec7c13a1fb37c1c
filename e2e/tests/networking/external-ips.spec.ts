import { expectAccessible } from '../../support/accessibility.ts'
import { addPool } from '../../support/networks.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  openMenuOf,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

const path = '/projects/mill/instances/wheel/networking'

test('an ephemeral address is attached and detached', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  const attach = page.getByRole('button', { name: 'Attach ephemeral IP' })
  await attach.click()
  const form = dialog(page, 'Attach ephemeral IP')
  await expect(form).toContainText(
    'Only v4 pools are shown because the primary network interface is IPv4-only.',
  )
  await expect(form.getByRole('button', { name: 'Pool' })).toContainText('default')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(toasts(page)).toContainText('IP 100.64.0.2 attached')
  await expect(row(page, 'ephemeral')).toContainText('100.64.0.2')
  await expectDisabled(attach, 'Instance already has an ephemeral IP')
  await expectAccessible(page)

  const snat = await openRowActions(page, 'snat')
  await expectDisabled(snat.getByRole('menuitem', { name: 'Detach' }), "SNAT IPs can't be detached")
  await closeByEscape(page)
  await rowAction(page, 'ephemeral', 'Detach')
  await expect(dialog(page, 'Detach ephemeral IP')).toContainText(
    'Are you sure you want to detach this ephemeral IP from wheel? The instance will no longer be reachable at 100.64.0.2.',
  )
  await confirm(page, 'Detach ephemeral IP')
  await expect(toasts(page)).toContainText('Ephemeral IP detached')
  await expect(row(page, 'ephemeral')).toBeHidden()
})

test('one ephemeral address of each version @long', async ({ page, project, host, seed }) => {
  await addPool(host, 'sixes', { ipVersion: 'v6', isDefault: true, range: ['fd01::1', 'fd01::9'] })
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_dual_stack' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  const attach = page.getByRole('button', { name: 'Attach ephemeral IP' })
  const form = dialog(page, 'Attach ephemeral IP')
  const submit = form.getByRole('button', { name: 'Attach', exact: true })
  await attach.click()
  await expect(form).toContainText(
    'Dual-stack network interfaces support one ephemeral IP per version.',
  )
  // Neither default takes precedence.
  await expectDisabled(submit, 'Select a pool')
  await form.getByRole('button', { name: 'Pool' }).click()
  await page.getByRole('option', { name: /v4/ }).click()
  await submit.click()
  await expect(form).toBeHidden()
  await attach.click()
  await expect(form).toContainText(
    'Only v6 pools are shown because this instance already has a v4 ephemeral IP.',
  )
  await expect(form.getByRole('button', { name: 'Pool' })).toContainText('sixes')
  await submit.click()
  await expectDisabled(attach, 'Instance already has v4 and v6 ephemeral IPs')

  // The two are distinguished by version.
  const six = page.getByRole('row').filter({ hasText: 'fd01::1' })
  await openMenuOf(six)
  await page.getByRole('menuitem', { name: 'Detach' }).click()
  await confirm(page, 'Detach ephemeral IP')
  await expect(six).toBeHidden()
  await expect(row(page, 'ephemeral')).toHaveCount(1)
})

test('an exhausted pool is reported in the dialog @long', async ({
  page,
  project,
  host,
  seed,
  consoleErrors,
}) => {
  consoleErrors.expect(/507|API error/)
  await addPool(host, 'dry')
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  await page.getByRole('button', { name: 'Attach ephemeral IP' }).click()
  const form = dialog(page, 'Attach ephemeral IP')
  await form.getByRole('button', { name: 'Pool' }).click()
  await page.getByRole('option', { name: 'dry' }).click()
  await form.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(form.getByRole('alert')).toContainText('No external IP addresses available')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Attach ephemeral IP' }).click()
  await expect(form.getByRole('alert')).toBeHidden()
})

test('floating IPs are attached, renamed elsewhere, and detached @long', async ({
  page,
  project,
  host,
  seed,
  api,
}) => {
  await addPool(host, 'sixes', { ipVersion: 'v6', range: ['fd01::1', 'fd01::9'] })
  const { id } = await seed.floatingIp(project.name, 'door')
  await seed.floatingIp(project.name, 'six', 'sixes')
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await seed.until(project.name, 'wheel', 'stopped')
  await page.goto(path)
  const attach = page.getByRole('button', { name: 'Attach floating IP' })
  await attach.click()
  const form = dialog(page, 'Attach floating IP')
  const submit = form.getByRole('button', { name: 'Attach floating IP' })
  await expectDisabled(submit, 'Select a floating IP')
  await expect(form).toContainText('Instance ‘wheel’ will be reachable at the selected IP address')
  await form.getByRole('button', { name: 'Floating IP', exact: false }).first().click()
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: 'door' }).click()
  await submit.click()
  await expect(toasts(page)).toContainText('IP door attached')
  await expectDisabled(attach, 'No available floating IPs')
  await expect(
    page.getByRole('table', { name: 'External IPs' }).getByRole('row').nth(1),
  ).toContainText('door')
  await ok(api.floatingIpUpdate({ path: { floatingIp: id }, body: { name: 'gate' } }))
  await expect(row(page, 'gate')).toBeVisible()
  await rowAction(page, 'gate', 'Detach')
  await expect(dialog(page, 'Detach floating IP')).toContainText('from instance wheel?')
  await confirm(page, 'Detach floating IP')
  await expect(toasts(page)).toContainText('Floating IP gate detached')
  await expect(row(page, 'gate')).toBeHidden()
})

test('an instance without interfaces cannot have an address @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.floatingIp(project.name, 'door')
  await seed.instance(project.name, 'wheel')
  await page.goto(path)
  await expectDisabled(
    page.getByRole('button', { name: 'Attach ephemeral IP' }),
    'Instance has no network interfaces',
  )
  await expectDisabled(
    page.getByRole('button', { name: 'Attach floating IP' }),
    'No available floating IPs',
  )
  await expect(page.getByText('Attach an external IP to see it here')).toBeVisible()
  await expectAccessible(page)
})
