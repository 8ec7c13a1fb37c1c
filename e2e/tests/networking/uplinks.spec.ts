import { bgpMessages } from '@steading/api/rules'
import { expectAccessible } from '../../support/accessibility.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, row, rowAction, toasts } from '../../support/ui.ts'
import { addPeer, makeUplinks } from '../../support/uplinks.ts'

test('a lot is created with blocks, which are checked when added @long', async ({ page }) => {
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
  // Overlapping blocks are accepted with a warning; a duplicate is not.
  const overlap = form.getByText('Blocks 192.0.2.1-192.0.2.20 and 192.0.2.9-192.0.2.14 overlap')
  await first.fill('192.0.2.9')
  await last.fill('192.0.2.14')
  await add.click()
  await expect(form.getByText('192.0.2.9-192.0.2.14 is in the list already')).toBeVisible()
  await first.fill('192.0.2.1')
  await last.fill('192.0.2.20')
  await expect(overlap).toBeVisible()
  await add.click()
  await expect(overlap).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create address lot' }).click()
  await expect(toasts(page)).toContainText('Address lot provider created')
  await page.getByRole('link', { name: 'provider', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Not in use' })).toBeVisible()
  await expectAccessible(page)
})

test('a switch gets a loopback address of a lot, which then cannot be deleted @long', async ({
  page,
  api,
}) => {
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

test('networks are announced by a configuration of their set @long', async ({ page, api }) => {
  await makeUplinks(api)
  await page.goto('/system/networking/announce-sets/public/edit')
  const form = dialog(page, 'Edit announce set')
  await form.getByRole('button', { name: 'Address lot' }).click()
  await page.getByRole('option', { name: 'provider' }).click()
  const network = form.getByRole('textbox', { name: 'Network' })
  await network.fill('198.51.100.1/25')
  await expect(network).toHaveAccessibleDescription(/198\.51\.100\.0\/25 is announced/)
  await network.fill('198.51.100.0/025')
  await expect(network).not.toHaveAccessibleDescription(/is announced/)
  await network.fill('198.51.100.0/25')
  await form.getByRole('button', { name: 'Add network' }).click()
  await form.getByRole('button', { name: 'Update announce set' }).click()
  await expect(toasts(page)).toContainText('Announce set public updated')
  await expect(row(page, 'public')).toContainText('198.51.100.0/25+1')
})

test.describe('with a control plane without extensions', () => {
  test.use({ hostConfig: { extensions: false } })

  test('networks and configurations use the plain operations @long', async ({
    page,
    api,
    consoleErrors,
  }) => {
    // Capabilities are requested.
    consoleErrors.expect(/404/)
    await makeUplinks(api)
    await page.goto('/system/networking/announce-sets')
    await expect(row(page, 'public')).toContainText('198.51.100.128/25')
    await page.getByRole('link', { name: 'public' }).click()
    const set = dialog(page, 'Edit announce set')
    await expect(set.getByRole('row', { name: '198.51.100.128/25 provider' })).toBeVisible()
    await set.getByRole('textbox', { name: 'Description' }).fill('To the provider')
    await set.getByRole('button', { name: 'Update announce set' }).click()
    await expect(toasts(page)).toContainText('Announce set public updated')
    await expect(row(page, 'public')).toContainText('To the provider')
    const [announced] = await ok(
      api.networkingBgpAnnouncementList({ path: { announceSet: 'public' } }),
    )
    expect(announced?.network).toBe('198.51.100.128/25')

    await page.getByRole('tab', { name: 'BGP', exact: true }).click()
    await page.getByRole('link', { name: 'edge' }).click()
    const config = dialog(page, 'Edit BGP configuration')
    await expect(config.getByRole('button', { name: 'Announce set' })).toContainText('Unchanged')
    await config.getByRole('spinbutton', { name: 'Max paths' }).fill('4')
    await config.getByRole('button', { name: 'Update BGP configuration' }).click()
    await expect(toasts(page)).toContainText('BGP configuration edge updated')
    const { items } = await ok(api.networkingBgpConfigList({}))
    expect(items[0]).toMatchObject({ name: 'edge', maxPaths: 4 })
    // It still announces the set.
    const removal = await api.networkingBgpAnnounceSetDelete({ path: { announceSet: 'public' } })
    expect(removal).toMatchObject({ data: { message: bgpMessages.setInUse } })
  })

  test('a renamed configuration is not taken for deleted @long', async ({
    page,
    api,
    consoleErrors,
  }) => {
    consoleErrors.expect(/404|API/)
    await makeUplinks(api)
    await page.goto('/system/networking/bgp/edge/edit')
    const form = dialog(page, 'Edit BGP configuration')
    await form.getByRole('textbox', { name: 'Description' }).fill('Mine')
    const renamed = { query: { nameOrId: 'edge' }, body: { name: 'rim' } }
    await ok(api.networkingBgpConfigUpdate(renamed))
    await form.getByRole('button', { name: 'Update BGP configuration' }).click()
    const notice = form.getByRole('status').filter({ hasText: 'changed meanwhile' })
    await expect(notice).toContainText('Name: edge is now rim')
    await notice.getByRole('button', { name: 'Use new: Name' }).click()
    await form.getByRole('button', { name: 'Update BGP configuration' }).click()
    await expect(toasts(page)).toContainText('BGP configuration rim updated')
    const { items } = await ok(api.networkingBgpConfigList({}))
    expect(items).toMatchObject([{ name: 'rim', description: 'Mine' }])
  })
})

test('a peer is established, and goes down while its page is open @long', async ({
  page,
  api,
  host,
}) => {
  await makeUplinks(api)
  await addPeer(api, '198.51.100.1')
  await page.goto('/system/networking/bgp-peers')
  const peers = page.getByRole('table', { name: 'Peers' })
  await expect(peers.getByText('established')).toBeVisible()
  const exported = page.getByRole('table', { name: 'Exported routes' })
  await expect(exported.getByText('198.51.100.128/25')).toBeVisible()
  await expect(
    page.getByRole('table', { name: 'Imported routes' }).getByText('0.0.0.0/0'),
  ).toBeVisible()
  await host.server.controlPlane.engines.uplinks.takeDown('switch0', '198.51.100.1')
  await expect(peers.getByText('active')).toBeVisible()
})

test('a BFD session is enabled and disabled @long', async ({ page }) => {
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

test('jumbo frames are enabled for the rack @long', async ({ page }) => {
  await page.goto('/system/networking/settings')
  await page.getByRole('button', { name: 'Enable jumbo frames' }).click()
  await confirm(page, 'Enable jumbo frames')
  await expect(page.getByRole('button', { name: 'Disable jumbo frames' })).toBeVisible()
  await expect(page.getByText('Users can enable jumbo frames for their instances.')).toBeVisible()
})

test('a port gets new settings, and its link and peer come up', async ({ page, api }) => {
  await makeUplinks(api)
  await page.goto('/system/networking/port-settings-new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('uplink')
  await page.getByRole('button', { name: 'Add address' }).click()
  const address = page.getByRole('group', { name: 'Address 1' })
  await address.getByRole('textbox', { name: 'Address' }).fill('198.51.100.2')
  await address.getByRole('button', { name: 'Address lot' }).click()
  await page.getByRole('option', { name: 'provider' }).click()
  await page.getByRole('button', { name: 'Add BGP peer' }).click()
  const peer = page.getByRole('group', { name: 'BGP peer 1' })
  await peer.getByRole('textbox', { name: 'Peer address' }).fill('198.51.100.1')
  await peer.getByRole('button', { name: 'BGP configuration' }).click()
  await page.getByRole('option', { name: 'edge (AS 64700)' }).click()
  const create = page.getByRole('button', { name: 'Create port settings' })
  await create.click()
  await expect(page.getByText('Must be an address with a prefix')).toBeVisible()
  await address.getByRole('textbox', { name: 'Address' }).fill('198.51.100.2/30')
  await create.click()
  await expect(page.getByRole('heading', { name: 'Not applied' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Addresses' })).toContainText('198.51.100.2/30')

  await page.goto('/system/networking/switch-ports?q=switch0%2Fqsfp0')
  await rowAction(page, 'switch0/qsfp0', 'Apply settings')
  const form = dialog(page, 'Apply port settings')
  await form.getByRole('button', { name: 'Port settings' }).click()
  await page.getByRole('option', { name: 'uplink' }).click()
  await form.getByRole('button', { name: 'Apply settings' }).click()
  const links = page.getByRole('table', { name: 'Links' })
  await expect(links.getByText('up', { exact: true })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Neighbors' })).toContainText('router-')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear settings' }).click()
  await confirm(page, 'Clear settings')
  await expect(page.getByRole('heading', { name: 'Not configured' })).toBeVisible()
})

test('the overview shows problems first, live @long', async ({ page, api, host }) => {
  await makeUplinks(api)
  await addPeer(api, '198.51.100.1')
  await addPeer(api, '198.51.100.5', 'switch1')
  await page.goto('/system/networking/connectivity')
  await expect(page.getByText('all is well')).toBeVisible()
  await host.server.controlPlane.engines.uplinks.takeDown('switch0', 'qsfp0')
  const found = page.getByRole('list', { name: 'Open connectivity issues' })
  const down = found.getByRole('link', { name: 'Link phy0 of switch0/qsfp0 is down' })
  await expect(down).toBeVisible()
  await down.click()
  await expect(page.getByRole('heading', { name: 'switch0/qsfp0' })).toBeVisible()
})

test("the allow list accepts its author's networks, and no list without them @long", async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/400/)
  await page.goto('/system/networking/settings/allow-list')
  const form = dialog(page, 'Edit allow list')
  await form.getByRole('radio', { name: 'Only listed networks' }).check()
  const network = form.getByRole('textbox', { name: 'Address or network' })
  const update = form.getByRole('button', { name: 'Update allow list' })
  await network.fill('198.51.100.7')
  await network.press('Enter')
  await update.click()
  await expect(form.getByText(/would prevent access from the current client/)).toBeVisible()
  await network.fill('127.0.0.0/8')
  await network.press('Enter')
  await update.click()
  await expect(page.getByRole('list', { name: 'Allowed addresses' })).toContainText('127.0.0.0/8')
})
