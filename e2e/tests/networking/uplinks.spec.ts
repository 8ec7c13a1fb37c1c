import { expectAccessible } from '../../support/accessibility.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../../support/ui.ts'
import { addPeer, makeUplinks } from '../../support/uplinks.ts'

test('a lot is made with blocks, which are checked while they are added', async ({ page }) => {
  await page.goto('/system/networking/address-lots-new')
  const form = dialog(page, 'Create address lot')
  await form.getByRole('textbox', { name: 'Name' }).fill('provider')
  const first = form.getByRole('textbox', { name: 'First address' })
  const last = form.getByRole('textbox', { name: 'Last address' })
  const add = form.getByRole('button', { name: 'Add block' })
  await first.fill('192.0.2.9')
  await last.fill('2001:db8::1')
  await add.click()
  await expect(form.getByText('Block bounds must be in same address family')).toBeVisible()
  await last.fill('192.0.2.1')
  await expect(form.getByText('Invalid range, first must be <= last')).toBeVisible()
  await last.fill('192.0.2.14')
  await add.click()
  await expect(form.getByRole('row', { name: '192.0.2.9 192.0.2.14' })).toBeVisible()
  await form.getByRole('button', { name: 'Create address lot' }).click()
  await expect(toasts(page)).toContainText('Address lot provider created')
  await page.getByRole('link', { name: 'provider', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Not in use' })).toBeVisible()
  await expectAccessible(page)
})

test('a switch gets a loopback address of a lot, which then stays', async ({ page, api }) => {
  await makeUplinks(api)
  await page.goto('/system/networking/loopback-addresses-new')
  const form = dialog(page, 'Create loopback address')
  await form.getByRole('button', { name: 'Address lot' }).click()
  await page.getByRole('option', { name: 'provider' }).click()
  await form.getByRole('textbox', { name: 'Address' }).fill('198.51.100.1')
  await form.getByRole('button', { name: 'Create loopback address' }).click()
  await expect(toasts(page)).toContainText('Loopback address 198.51.100.1/32 created')
  await page.getByRole('link', { name: 'provider' }).click()
  const uses = page.getByRole('table', { name: 'In use' })
  await expect(uses.getByRole('row', { name: /198\.51\.100\.1\/32/ })).toBeVisible()
  await expect(uses.getByRole('link', { name: 'public' })).toBeVisible()
})

test('networks are announced, by a configuration of their set', async ({ page, api }) => {
  await makeUplinks(api)
  await page.goto('/system/networking/announce-sets/public/edit')
  const form = dialog(page, 'Edit announce set')
  await form.getByRole('button', { name: 'Address lot' }).click()
  await page.getByRole('option', { name: 'provider' }).click()
  const network = form.getByRole('textbox', { name: 'Network' })
  await network.fill('198.51.100.1/25')
  await form.getByRole('button', { name: 'Add network' }).click()
  await expect(form.getByText(/its host ID must be zero, as in 198\.51\.100\.0\/25/)).toBeVisible()
  await network.fill('198.51.100.0/25')
  await form.getByRole('button', { name: 'Add network' }).click()
  await form.getByRole('button', { name: 'Update announce set' }).click()
  await expect(toasts(page)).toContainText('Announce set public updated')
  await expect(row(page, 'public')).toContainText('198.51.100.0/25+1')
})

test('a peer is established, and goes silent while it is looked at', async ({
  page,
  api,
  host,
}) => {
  const config = await makeUplinks(api)
  await addPeer(host, config.id, '198.51.100.1')
  await page.goto('/system/networking/bgp-peers')
  const peers = page.getByRole('table', { name: 'Peers' })
  await expect(peers.getByText('established')).toBeVisible()
  const exported = page.getByRole('table', { name: 'Exported routes' })
  await expect(exported.getByText('198.51.100.128/25')).toBeVisible()
  await expect(
    page.getByRole('table', { name: 'Imported routes' }).getByText('0.0.0.0/0'),
  ).toBeVisible()
  await host.server.controlPlane.engines.uplinks.takeDown('switch0', '198.51.100.1')
  await expect(peers.getByText('active')).toBeVisible({ timeout: 30_000 })
})

test('a BFD session is enabled and disabled', async ({ page }) => {
  await page.goto('/system/networking/bfd-new')
  const form = dialog(page, 'New BFD session')
  await form.getByRole('textbox', { name: 'Peer address' }).fill('192.0.2.1')
  await form.getByRole('textbox', { name: 'Local address' }).fill('2001:db8::1')
  await form.getByRole('button', { name: 'Enable session' }).click()
  await expect(form.getByText('local and remote must be of the same address family')).toBeVisible()
  await form.getByRole('textbox', { name: 'Local address' }).fill('')
  await form.getByRole('button', { name: 'Enable session' }).click()
  await expect(row(page, '192.0.2.1')).toContainText('900 ms')
  await rowAction(page, '192.0.2.1', 'Disable')
  await confirm(page, 'Disable BFD session')
  await expect(page.getByRole('heading', { name: 'No BFD sessions' })).toBeVisible()
})

test('jumbo frames are enabled for the rack', async ({ page }) => {
  await page.goto('/system/networking/settings')
  await page.getByRole('button', { name: 'Enable jumbo frames' }).click()
  await confirm(page, 'Enable jumbo frames')
  await expect(page.getByRole('button', { name: 'Disable jumbo frames' })).toBeVisible()
  await expect(page.getByText('Users can enable jumbo frames for their instances.')).toBeVisible()
})
