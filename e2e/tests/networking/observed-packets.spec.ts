/**
 * Packets of firewall rules, denied packets, and the health of networks. The simulated engine records
 * none of them, so the answers are given here.
 */
import type { Page } from '@playwright/test'
import { networkFaults } from '@steading/api/rules'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { addRules, firewallRule, RULES } from '../../support/firewall.ts'
import { expect, test } from '../../support/test.ts'
import { row } from '../../support/ui.ts'

async function observes(page: Page, flag: string, path: string, answer: object, status = 200) {
  await page.route('/x/v1/capabilities', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), [flag]: true } })
  })
  await page.route(path, (route) => route.fulfill({ status, json: answer }))
}

const time_since = '2026-01-01T08:00:00Z'
const now = () => new Date().toISOString()

test('firewall rules show their packets, and which had none', async ({ page, project, api }) => {
  expect(project.name).toBe('mill')
  await addRules(api, firewallRule('web'), firewallRule('unused'))
  const used = { packets: 1204, time_since, time_last: now() }
  await observes(page, 'firewall_use', '**/x/v1/vpcs/default/firewall-use?*', {
    measured: true,
    rules: [
      { name: 'web', ...used },
      { name: 'unused', packets: 0, time_since, time_last: null },
    ],
    denied_by_default: { ...used, packets: 1 },
    allowed_by_default: null,
  })
  await page.goto(RULES)
  await expect(row(page, 'web')).toContainText(/1,204 \d+s ago/)
  await expect(row(page, 'unused')).toContainText('Never')
  await expect(
    page.getByText(/^Inbound and denied, because no rule allows them: 1 packet since Jan 1, 2026/),
  ).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
})

test('an instance shows its denied packets, and tests them', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel')
  const packet = {
    time_first: time_since,
    time_last: now(),
    packets: 3,
    direction: 'inbound',
    protocol: 'tcp',
    source: '172.30.0.9',
    destination: '172.30.0.5',
    port: 5432,
    icmp_type: null,
    interface_id: crypto.randomUUID(),
    rule: null,
    by_default: true,
  }
  await observes(page, 'denied_packets', '**/x/v1/instances/wheel/denied-packets?*', {
    recorded: true,
    packets: [
      packet,
      { ...packet, protocol: 'icmp', port: null, icmp_type: 8, by_default: false, rule: 'no-ping' },
      { ...packet, protocol: 'other', port: null, by_default: false },
    ],
  })
  await page.goto('/projects/mill/instances/wheel/networking')
  const denied = page.getByRole('table', { name: 'Denied packets' })
  await expect(denied.getByRole('row')).toContainText([
    'packet',
    /TCP 5432 from 172\.30\.0\.9 to 172\.30\.0\.5.*No rule allows it.*3/,
    /ping \(ICMPv4\) from 172\.30\.0\.9.*no-ping/,
    /Another protocol from 172\.30\.0\.9.*A rule that is gone/,
  ])
  await expectAccessible(page)
  await denied.getByRole('row', { name: 'TCP 5432' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Test reachability' }).click()
  await expect(page.getByRole('combobox', { name: 'From' })).toHaveValue('172.30.0.9')
  await expect(page.getByRole('combobox', { name: 'To' })).toHaveValue('wheel')
  await expect(page.getByRole('textbox', { name: 'Port' })).toHaveValue('5432')
})

test('operators see which hosts and programs of networks do not answer', async ({ page }) => {
  const daemon = { state: 'running', time_started: time_since, version: '23.03.1' }
  await observes(page, 'system_networks', '**/x/v1/system/networks', {
    version: '23.03.1',
    silent: 'northd',
    time_silent: time_since,
    hosts: [
      { name: 'one', time_answered: now(), time_silent: null, tunnels: 1 },
      { name: 'two', time_answered: null, time_silent: time_since, tunnels: 1 },
    ],
    host_state: {
      daemons: [
        { name: 'ovn-northd', ...daemon, state: 'silent', version: null },
        { name: 'ovs-vswitchd', ...daemon, version: '3.1.0' },
      ],
      flows: 48_838,
    },
  })
  await page.goto('/system/control-plane')
  await expect(page.getByText(networkFaults.center.northd)).toBeVisible()
  await expect(row(page, 'two')).toContainText('does not answer')
  await expect(row(page, 'one')).not.toContainText('follows changes')
  await expect(row(page, 'ovn-northd')).toContainText('does not answer')
  await expect(row(page, 'ovs-vswitchd')).toContainText(/running.*3\.1\.0/)
  await expect(page.getByText(/whose switch has 48,838 flows/)).toBeVisible()
  await expectAccessible(page)
})
