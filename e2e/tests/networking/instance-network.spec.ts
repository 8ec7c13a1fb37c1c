/**
 * Pages with an engine that forwards ports, and does not enforce every rule. The simulated one
 * enforces all, so the answers about this are given here.
 */
import { networkNeeds, unmeasuredNetwork } from '@steading/api/rules'
import type { Page } from '@playwright/test'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { addRules, firewallRule, RULES } from '../../support/firewall.ts'
import { expect, test } from '../../support/test.ts'
import { dialog, row } from '../../support/ui.ts'

const endpoint = {
  external_ip: '198.51.100.7',
  protocol: 'tcp',
  port: 22,
  host_ip: '127.0.0.1',
  host_port: 24_022,
}

/** Answers as an engine with forwarded ports does. */
async function forwards(page: Page, network: object): Promise<void> {
  await page.route('/x/v1/capabilities', async (route) => {
    const response = await route.fetch()
    const json = {
      ...(await response.json()),
      instance_network: true,
      network_lacks: networkNeeds,
    }
    await route.fulfill({ response, json })
  })
  await page.route('**/x/v1/instances/wheel/network?*', (route) =>
    route.fulfill({
      json: {
        version: 3,
        time_applied: new Date().toISOString(),
        behind: false,
        endpoints: [],
        not_enforced: [],
        measured: true,
        ...network,
      },
    }),
  )
}

const CONNECT = '/projects/mill/instances/wheel/connect'

test('the tab Connect has the command that works, and every forwarded port', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await forwards(page, {
    endpoints: [endpoint, { ...endpoint, port: 443, host_port: 24_443 }],
    not_enforced: ['icmp'],
  })
  await page.goto(CONNECT)
  // In the head of the page, and in the tab.
  await expect(page.getByText('ssh -p 24022 [username]@127.0.0.1', { exact: true })).toHaveCount(2)
  const ports = page.getByRole('table', { name: 'Forwarded ports' })
  await expect(ports.getByRole('row')).toHaveCount(3)
  await expect(ports).toContainText('TCP 443')
  await expect(ports).toContainText('127.0.0.1:24443')
  await expect(page.getByText('This engine lets in TCP and UDP only.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScroll(page)
})

test('the tab Metrics says that the network is not measured @long', async ({
  page,
  project,
  seed,
}) => {
  await seed.instance(project.name, 'wheel')
  await forwards(page, { measured: false })
  await page.goto('/projects/mill/instances/wheel/metrics/network')
  await expect(page.getByRole('heading', { name: unmeasuredNetwork.title })).toBeVisible()
  await expect(page.getByText(unmeasuredNetwork.body)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'Disk' }).click()
  await expect(page.getByText(unmeasuredNetwork.body)).toBeHidden()
})

test('without a way to SSH, the tab Connect says so @long', async ({ page, project, seed }) => {
  await seed.instance(project.name, 'wheel', {
    networkInterfaces: { type: 'default_ipv4' },
    externalIps: [{ type: 'ephemeral' }],
  })
  const network = { behind: true }
  await forwards(page, network)
  await page.goto(CONNECT)
  await expect(page.getByText('The network of this instance is being applied.')).toBeVisible()
  network.behind = false
  await page.getByRole('button', { name: 'Refresh data' }).click()
  await expect(page.getByText('a firewall rule has to let in TCP port 22')).toBeVisible()
})

test('rules that the engine does not enforce are marked, and say why @long', async ({
  page,
  api,
  project,
}) => {
  await addRules(
    api,
    firewallRule('closed', { direction: 'outbound', action: 'deny' }),
    firewallRule('off', { direction: 'outbound', action: 'deny', status: 'disabled' }),
    firewallRule('web', { filters: { protocols: [{ type: 'tcp' }], ports: ['80'] } }),
  )
  expect(project.name).toBe('mill')
  await forwards(page, {})
  await page.goto(RULES)
  await expect(row(page, 'closed')).toContainText('not enforced')
  await expect(row(page, 'web')).not.toContainText('not enforced')
  await expect(row(page, 'off')).not.toContainText('not enforced')
  await expectAccessible(page)
  await page.goto(`${RULES}/closed/edit`)
  const form = dialog(page, 'Edit rule')
  const notice = form.getByText('instances reach everything outside, whatever the rules.')
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('radio', { name: 'Allow' }).check()
  await expect(notice).toBeHidden()
})

test('rules are not marked with an engine that enforces all @long', async ({
  page,
  api,
  project,
}) => {
  expect(project.name).toBe('mill')
  await addRules(api, firewallRule('closed', { direction: 'outbound', action: 'deny' }))
  await page.goto(RULES)
  await expect(row(page, 'closed')).toBeVisible()
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await expect(page.getByText('not enforced')).toHaveCount(0)
})
