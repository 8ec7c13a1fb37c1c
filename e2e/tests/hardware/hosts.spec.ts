import type { Page } from '@playwright/test'
import { fencingMessages, hostChecks } from '@steading/api/rules'
import { expectAccessible } from '../../support/accessibility.ts'
import { takePictures } from '../../support/pictures.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  heading,
  properties,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

// Checks and sleds take no time.
test.use({ hostConfig: { bootMs: 0 } })

const LIST = '/system/inventory/hosts'
const addressOf = (name: string) => `qemu+ssh://root@${name}/system`
const checks = (page: Page) => page.getByRole('list', { name: 'Checks' })

test('a host is added, checked, and becomes a sled', async ({ page }) => {
  await page.goto(LIST)
  await expect(page.getByText('No hosts')).toBeVisible()
  await expect(page.getByText(/A host is a machine with libvirt/)).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'no hosts')
  await page.getByRole('link', { name: 'Add host' }).first().click()
  const form = dialog(page, 'Add host')
  const address = form.getByRole('textbox', { name: 'Address' })
  await address.fill('qemu+ext://sim-1/system')
  await form.getByRole('button', { name: 'Add host' }).click()
  await expect(form.getByText('The transport ext is not possible')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a host with a wrong address')
  // What was typed is not lost without a question.
  await closeByEscape(page)
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(address).toHaveValue('qemu+ext://sim-1/system')
  await address.fill(` ${addressOf('sim-slow-1')} `)
  await form.getByRole('button', { name: 'Add host' }).click()
  await expect(toasts(page)).toContainText('Host sim-slow-1 is being checked')
  // Its state arrives without a reload.
  const added = row(page, 'sim-slow-1')
  await expect(added).toContainText('In service')
  await expect(added).toContainText('Guests run without KVM')
  await added.getByRole('link', { name: 'sim-slow-1', exact: true }).click()
  await expect(heading(page, 'sim-slow-1')).toBeVisible()
  await expect(checks(page).getByRole('listitem')).toHaveCount(hostChecks.length)
  await expect(checks(page).getByText('Warning')).toHaveCount(1)
  await expectDisabled(
    page.getByRole('button', { name: 'Remove host' }),
    'Its sled is in service: expunge the sled first',
  )
  await expectAccessible(page)
  await takePictures(page, 'a host in service', 1100)
  await properties(page).getByRole('link', { name: 'SIM-SLOW-1', exact: true }).click()
  await expect(heading(page, 'SIM-SLOW-1')).toBeVisible()
})

test('a refused host says what to do, is checked again, and gets another address', async ({
  page,
  api,
}) => {
  await ok(api.hostCreate({ body: { address: addressOf('sim-nostorage-1') } }))
  await page.goto(LIST)
  await expect(row(page, 'sim-nostorage-1')).toContainText('Refused')
  await page.getByRole('link', { name: 'sim-nostorage-1', exact: true }).click()
  const storage = checks(page)
    .getByRole('listitem')
    .filter({ hasText: /^Storage/ })
  await expect(storage).toContainText('Failed')
  await expect(storage).toContainText('Mount the shared file system')
  await expect(checks(page).getByRole('listitem').last()).toContainText('Not checked')
  await expectAccessible(page)
  await takePictures(page, 'a refused host', 1100)
  const ended = page.getByRole('region', { name: 'Checks' }).getByRole('time')
  const before = await ended.getAttribute('datetime')
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(ended).not.toHaveAttribute('datetime', before!)
  await expect(storage).toContainText('Failed')

  await page.getByRole('button', { name: 'Change address' }).click()
  const form = dialog(page, 'Change address')
  const address = form.getByRole('textbox', { name: 'Address' })
  await expect(address).toHaveValue(addressOf('sim-nostorage-1'))
  await address.fill(addressOf('sim-1'))
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Change address' }).click()
  await expect(heading(page, 'sim-1')).toBeVisible()
  await expect(page.getByText('In service', { exact: true })).toBeVisible()
  await expect(storage).toContainText('Passed')

  // One in service keeps its address until the new one has passed.
  await page.getByRole('button', { name: 'Change address' }).click()
  await address.fill(addressOf('elsewhere'))
  await form.getByRole('button', { name: 'Change address' }).click()
  await expect(page.getByText('The new address was refused')).toBeVisible()
  await expect(properties(page)).toContainText(addressOf('sim-1'))
  await takePictures(page, 'a host with a refused address', 1100)
})

test('a refused host is removed', async ({ page, api }) => {
  await ok(api.hostCreate({ body: { address: addressOf('sim-old-1') } }))
  await page.goto(LIST)
  await expect(row(page, 'sim-old-1')).toContainText('Refused')
  await rowAction(page, 'sim-old-1', 'Remove host')
  await expect(dialog(page, 'Remove host')).toContainText('Nothing on the machine changes')
  await confirm(page, 'Remove host')
  await expect(toasts(page)).toContainText('Host sim-old-1 removed')
  await expect(page.getByText('No hosts')).toBeVisible()
})

test('a host gets a fencing method, which is checked, and is fenced by hand', async ({
  page,
  api,
}) => {
  for (const name of ['sim-1', 'sim-2']) {
    await ok(api.hostCreate({ body: { address: addressOf(name) } }))
  }
  await page.goto(LIST)
  await page.getByRole('link', { name: 'sim-1', exact: true }).click()
  const fencing = page.getByRole('region', { name: 'Fencing' })
  await expect(fencing).toContainText('No fencing method')
  await expectDisabled(page.getByRole('button', { name: 'Fence host' }), 'It has no fencing method')
  await fencing.getByRole('button', { name: 'Set method' }).click()
  const form = dialog(page, 'Set fencing method')
  await form.getByRole('textbox', { name: 'Address' }).fill('not an address')
  await form.getByRole('textbox', { name: 'User' }).fill('operator')
  await form.getByLabel('Password').fill('secret')
  await form.getByRole('button', { name: 'Save method' }).click()
  await expect(form.getByText('It has to be a host name or an IP address')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a fencing method', 1100)
  await form.getByRole('textbox', { name: 'Address' }).fill('sim-1-bmc')
  await form.getByRole('button', { name: 'Save method' }).click()
  await expect(fencing).toContainText('Power is on')

  await page.getByRole('button', { name: 'Fence host' }).click()
  await expect(dialog(page, 'Fence host')).toContainText('is switched off at once')
  await takePictures(page, 'fencing a host')
  await confirm(page, 'Fence host')
  await expect(page.getByText('The host was switched off')).toBeVisible()
  const outages = page.getByRole('list', { name: 'Outages' }).getByRole('listitem')
  await expect(outages).toHaveCount(3)
  await expect(outages.last()).toContainText('Its power is off, as Redfish reports')
  await expectAccessible(page)
  await takePictures(page, 'a fenced host', 1100)
  await properties(page).getByRole('link', { name: 'SIM-1', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'The host was switched off' })
  await expect(notice).toContainText('It is proven dead, so its instances have failed')
  await expectAccessible(page)
  await takePictures(page, 'the sled of a fenced host')
  await notice.getByRole('link', { name: 'See the host' }).click()
  await expect(heading(page, 'sim-1')).toBeVisible()
})

test('a clock that goes wrong is an issue, and a failed check of its host @long', async ({
  page,
  api,
}) => {
  await ok(api.hostCreate({ body: { address: addressOf('sim-drift-1') } }))
  await page.goto('/system/issues')
  const link = page
    .getByRole('table', { name: 'Issues' })
    .getByRole('link', { name: /clock of host sim-drift-1 is 340 s behind/ })
  await expect(link).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'the issue of a clock')
  await link.click()
  await expect(page.getByText('The host fails a check')).toBeVisible()
  await expect(page.getByText(/may refuse certificates/)).toBeVisible()
  const clock = checks(page).getByRole('listitem').filter({ hasText: 'Clock' })
  await expect(clock).toContainText('Failed')
  await expect(clock).toContainText('Its clock is 340 s behind')
  // The other checks passed before.
  await expect(checks(page).getByText('Passed')).toHaveCount(hostChecks.length - 1)
  await expectAccessible(page)
  await takePictures(page, 'a host whose clock is wrong', 1100)
})

test('disk leases are tried, and prove that a silent host is dead', async ({ page, api }) => {
  for (const name of ['sim-1', 'sim-2', 'sim-3']) {
    await ok(api.hostCreate({ body: { address: addressOf(name) } }))
  }
  await page.goto(LIST)
  await page.getByRole('link', { name: 'sim-1', exact: true }).click()
  const fencing = page.getByRole('region', { name: 'Fencing' })
  await fencing.getByRole('button', { name: 'Set method' }).click()
  const form = dialog(page, 'Set fencing method')
  await form.getByRole('radio', { name: 'Disk leases' }).check()
  // They have no settings.
  await expect(form.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page)
  await takePictures(page, 'disk leases as a fencing method', 1100)
  await form.getByRole('button', { name: 'Save method' }).click()
  await expect(fencing).toContainText('Leases work')
  await expectDisabled(
    page.getByRole('button', { name: 'Fence host' }),
    fencingMessages.leasesOfLiving,
  )
  await takePictures(page, 'a host with disk leases', 1100)
  await ok(api.simulatedSledSetPower({ path: { serial: 'SIM-1' }, body: { on: false } }))
  await expect(page.getByText('The host is fenced')).toBeVisible()
  await expect(fencing).toContainText('Leases have run out')
  const outages = page.getByRole('list', { name: 'Outages' }).getByRole('listitem')
  await expect(outages.last()).toContainText('Another host has taken the leases of its guests')
  await expectAccessible(page)
  await takePictures(page, 'a host whose leases have run out', 1100)
})

test('hosts that are out of reach, and many @long', async ({ page, api }) => {
  await ok(api.hostCreate({ body: { address: addressOf('sim-1') } }))
  const names = ['old', 'clock', 'nostorage', 'noguests', 'nochassis', 'arm', 'slow']
  const last = addressOf('a-host-with-a-long-name.rack-17.row-4.data-center.example.com')
  for (const address of [...names.map((name) => addressOf(`sim-${name}-2`)), last]) {
    await ok(api.hostCreate({ body: { address } }))
  }
  await page.goto(LIST)
  await expect(row(page, 'sim-1')).toContainText('In service')
  await expect(page.getByRole('row', { name: /Refused/ })).toHaveCount(7)
  await expectAccessible(page)
  await takePictures(page, 'hosts')
  await ok(api.simulatedSledSetPower({ path: { serial: 'SIM-1' }, body: { on: false } }))
  await page.getByRole('link', { name: 'sim-1', exact: true }).click()
  await page.getByRole('button', { name: 'Refresh data' }).click()
  await expect(page.getByText('The host is out of reach')).toBeVisible()
  await expectAccessible(page)
  await takePictures(page, 'a host out of reach', 1100)
  await properties(page).getByRole('link', { name: 'SIM-1', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'The sled does not respond' })
  await expect(notice).toContainText('Instances still on it count as running')
  await expect(notice).toContainText('It is not fenced: it has no fencing method.')
  await expect(notice).not.toContainText('failed')
  await expectAccessible(page)
  await takePictures(page, 'the sled of a host out of reach')
})
