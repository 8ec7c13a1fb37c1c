import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { addPool, addSubnet } from '../../support/networks.ts'
import { ok } from '../../support/seed.ts'
import { expect, test } from '../../support/test.ts'
import { choose, dialog, expectDisabled } from '../../support/ui.ts'

const PAGE = '/projects/mill/instances/wheel/storage'
const wheel = { path: { instance: 'wheel' }, query: { project: 'mill' } }
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })
const submit = (page: Page) => page.getByRole('button', { name: 'Create instance' }).click()

/** Opens the form and fills in the required fields. */
async function begin(page: Page): Promise<void> {
  await page.goto('/projects/mill/instances-new')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('wheel')
  await page.getByRole('checkbox', { name: 'Start Instance' }).uncheck()
  await choose(page.getByRole('combobox', { name: 'Image' }), 'debian-13')
}

async function addNic(page: Page, name: string, subnet: string, versions: string): Promise<void> {
  await section(page, 'Networking').getByRole('button', { name: 'Add network interface' }).click()
  const form = dialog(page, 'Add network interface')
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('button', { name: 'VPC subnet' }).click()
  await page.getByRole('option', { name: subnet }).click()
  await form.getByRole('radio', { name: versions, exact: true }).check()
  await form.getByRole('button', { name: 'Add network interface' }).click()
  await expect(form).toBeHidden()
}

async function attachFloatingIp(page: Page, name: string): Promise<void> {
  await section(page, 'Networking').getByRole('button', { name: 'Attach floating IP' }).click()
  const form = dialog(page, 'Attach floating IP')
  await form.getByRole('button', { name: /^Select a floating IP/ }).click()
  await page.getByRole('option', { name }).click()
  await form.getByRole('button', { name: 'Attach', exact: true }).click()
  await expect(form).toBeHidden()
}

test('with interfaces, a floating IP, a group and a restart policy @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await addSubnet(api, project.name, 'backend', '10.7.0.0/24')
  await seed.floatingIp(project.name, 'door')
  await seed.group(project.name, 'apart')
  await begin(page)
  const networking = section(page, 'Networking')
  await networking.getByRole('radio', { name: 'Custom' }).check()
  await expect(networking.getByText('No network interfaces added')).toBeVisible()
  const allocate = networking.getByRole('checkbox', { name: 'Allocate IPv4 address' })
  await expect(allocate).toBeDisabled()
  await expectDisabled(
    networking.getByRole('button', { name: 'Attach floating IP' }),
    'A network interface is required to attach a floating IP',
  )
  await addNic(page, 'main', 'default', 'IPv4')
  await expect(allocate).toBeChecked()
  await addNic(page, 'side', 'backend', 'IPv4 & IPv6')
  await networking.getByRole('button', { name: 'remove network interface main' }).click()
  await addNic(page, 'main', 'default', 'IPv4')
  // The list survives switching to another choice.
  await networking.getByRole('radio', { name: 'None' }).check()
  await expect(allocate).not.toBeChecked()
  await networking.getByRole('radio', { name: 'Custom' }).check()
  await expect(
    networking.getByRole('table', { name: 'Network Interfaces' }).getByRole('row'),
  ).toContainText(['Name', 'side', 'main'])
  await attachFloatingIp(page, 'door')
  await expectDisabled(
    networking.getByRole('button', { name: 'Attach floating IP' }),
    'No floating IPs available',
  )

  const advanced = section(page, 'Advanced')
  await advanced.getByRole('textbox', { name: 'Hostname' }).fill('wheel.mill')
  await advanced.getByRole('button', { name: 'Add to group' }).click()
  const form = dialog(page, 'Add to anti-affinity group')
  await choose(form.getByRole('combobox', { name: 'Anti-affinity group' }), 'apart')
  await form.getByRole('button', { name: 'Add to group' }).click()
  const policy = advanced.getByRole('button', { name: 'Auto-restart policy' })
  await policy.click()
  await page.getByRole('option', { name: 'Never' }).click()
  await expect(summary(page)).toContainText('2 interfacesside in default/backend')
  await expect(summary(page)).toContainText('1 ephemeral from default')
  await expect(summary(page)).toContainText('door, 100.64.0.1')
  await expect(summary(page)).toContainText('Affinity groupsapart')
  await expect(summary(page)).toContainText('Hostnamewheel.mill')
  await expect(summary(page)).toContainText('If it failsStays failed')
  await expectAccessible(page)
  await submit(page)
  await expect(page).toHaveURL(PAGE)

  expect(await ok(api.instanceView(wheel))).toMatchObject({
    hostname: 'wheel.mill',
    autoRestartPolicy: 'never',
  })
  const query = { ...wheel.query, instance: 'wheel' }
  const nics = (await ok(api.instanceNetworkInterfaceList({ query }))).items
  expect(nics.find(({ primary }) => primary)?.name).toBe('side')
  expect(nics.map(({ name }) => name).toSorted()).toEqual(['main', 'side'])
  const ips = (await ok(api.instanceExternalIpList(wheel))).items
  expect(ips.map(({ kind }) => kind).toSorted()).toEqual(['ephemeral', 'floating', 'snat'])
  const groups = (await ok(api.instanceAntiAffinityGroupList(wheel))).items
  expect(groups.map(({ name }) => name)).toEqual(['apart'])
})

test('addresses follow the IP version of the first interface @long', async ({
  page,
  project,
  host,
  seed,
}) => {
  await addPool(host, 'sixes', { ipVersion: 'v6', range: ['fd01::1', 'fd01::9'] })
  await addPool(host, 'sevens', { ipVersion: 'v6', range: ['fd02::1', 'fd02::9'] })
  await seed.floatingIp(project.name, 'door')
  await begin(page)
  const networking = section(page, 'Networking')
  const [four, six] = ['IPv4', 'IPv6'].map((version) =>
    networking.getByRole('checkbox', { name: `Allocate ${version} address` }),
  ) as [ReturnType<Page['getByRole']>, ReturnType<Page['getByRole']>]
  await attachFloatingIp(page, 'door')
  const chosen = networking.getByRole('table', { name: 'Floating IPs' })
  await expect(chosen).toContainText('100.64.0.1')
  // There are pools, but no default.
  await expect(six).not.toBeChecked()
  await six.check()
  await submit(page)
  await expect(networking.getByText('IPv6 pool is required')).toBeVisible()
  await networking.getByRole('button', { name: 'IP versions' }).click()
  await page.getByRole('option', { name: 'IPv6', exact: true }).click()
  await expect(four).not.toBeChecked()
  await expect(chosen).toBeHidden()
  await networking.getByRole('button', { name: 'IP versions' }).click()
  await page.getByRole('option', { name: 'IPv4', exact: true }).click()
  await expect(four).toBeChecked()
  await expect(six).toBeDisabled()
  await expect(chosen).toContainText('100.64.0.1')
})

test('a refusal leaves nothing behind and is shown where it can be corrected @long', async ({
  page,
  project,
  seed,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|404|API error/)
  await seed.floatingIp(project.name, 'door')
  await seed.group(project.name, 'apart')
  await begin(page)
  await attachFloatingIp(page, 'door')
  const other = await seed.instance(project.name, 'stone', {
    networkInterfaces: { type: 'default_ipv4' },
  })
  await seed.until(project.name, 'stone', 'stopped')
  // The chosen address is taken before the request.
  await ok(
    api.floatingIpAttach({
      path: { floatingIp: 'door' },
      query: wheel.query,
      body: { kind: 'instance', parent: other.id },
    }),
  )
  await submit(page)
  const networking = section(page, 'Networking')
  const refusal = 'Floating IP cannot be attached to one instance while still attached to another'
  await expect(networking.getByText(refusal)).toBeInViewport()
  expect((await ok(api.instanceList({ query: wheel.query }))).items).toHaveLength(1)
  expect((await ok(api.diskList({ query: wheel.query }))).items).toEqual([])
  await networking.getByRole('button', { name: 'remove floating IP door' }).click()
  await expect(networking.getByText(refusal)).toBeHidden()

  await networking.getByRole('radio', { name: 'Custom' }).check()
  await addNic(page, 'main', 'default', 'IPv4')
  await addNic(page, 'twin', 'default', 'IPv4')
  await submit(page)
  await expect(
    networking.getByText('Each interface must be in a distinct VPC Subnet'),
  ).toBeInViewport()
  await networking.getByRole('button', { name: 'remove network interface twin' }).click()

  await page.getByRole('textbox', { name: 'Disk name' }).fill('root')
  await seed.disk(project.name, 'root')
  await submit(page)
  // Refused by the control plane, or earlier if the page has learned of the disk.
  await expect(page.getByRole('textbox', { name: 'Disk name' })).toHaveAccessibleDescription(
    /already (exists|in use)$/,
  )
  await page.getByRole('textbox', { name: 'Disk name' }).fill('')
  await submit(page)
  await expect(page).toHaveURL(PAGE)
})

test('on a phone @long', async ({ page, project, seed }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await seed.floatingIp(project.name, 'door')
  await begin(page)
  await section(page, 'Networking').getByRole('radio', { name: 'Custom' }).check()
  await addNic(page, 'an-interface-with-quite-a-long-name', 'default', 'IPv4')
  await attachFloatingIp(page, 'door')
  await expectNoSidewaysScroll(page)
})
