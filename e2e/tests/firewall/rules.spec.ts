import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { showAsCode } from '../../support/as-code.ts'
import { addRules, firewallRule, RULES, rulesOf, setRules } from '../../support/firewall.ts'
import { expect, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  openRowActions,
  row,
  rowAction,
  toasts,
} from '../../support/ui.ts'

test.beforeEach(({ project }) => {
  expect(project.name).toBe('mill')
})

test('the rules of a VPC are listed by priority, searched and filtered', async ({ page, api }) => {
  const hosts = ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24'].map(
    (value) => ({ type: 'ip_net', value }) as const,
  )
  await addRules(
    api,
    firewallRule('deny-lab', {
      action: 'deny',
      direction: 'outbound',
      status: 'disabled',
      targets: [{ type: 'instance', value: 'wheel' }],
      filters: { hosts, ports: ['80', '443'] },
    }),
    firewallRule('pings', {
      priority: 7,
      filters: { protocols: [{ type: 'icmp', value: { icmpType: 8, code: '0' } }] },
    }),
    firewallRule('web', {
      priority: 9,
      filters: { hosts: hosts.slice(0, 1), protocols: [{ type: 'tcp' }], ports: ['80', '443'] },
    }),
  )
  await page.goto('/projects/mill/vpcs/default')
  await expect(page).toHaveURL(RULES)
  await expect(page).toHaveTitle(
    'Firewall Rules / default / VPCs / mill / Projects / Steading Console',
  )
  const table = page.getByRole('table', { name: 'Firewall rules' })
  await expect(table.getByRole('columnheader')).toContainText([
    'Name',
    'Priority',
    'Action',
    'Traffic',
  ])
  const names = table.getByRole('row').getByRole('link')
  await expect(names).toHaveText([
    'pings',
    'web',
    'deny-lab',
    'allow-icmp',
    'allow-internal-inbound',
    'allow-ssh',
  ])
  await expect(row(page, 'pings')).toContainText('ping (ICMPv4) from anywhere to VPC default')
  await expect(row(page, 'web')).toContainText('TCP 80 and 443 from 10.0.0.0/24 to VPC default')
  const deny = row(page, 'deny-lab').getByRole('cell')
  await expect(deny.nth(4)).toContainText('TCP/UDP 80 and 443 from wheel to 3 networks')
  await expect(deny.nth(4)).toContainText('Disabled')
  const { width, height } = page.viewportSize()!
  for (const narrow of [1024, 390]) {
    await page.setViewportSize({ width: narrow, height })
    await expect(row(page, 'web').getByText('TCP 80 and 443 from')).toBeVisible()
    await expectNoSidewaysScroll(page)
    const field = await page.getByRole('searchbox', { name: 'Search rules' }).boundingBox()
    expect(field!.width).toBeGreaterThan(150)
  }
  await page.setViewportSize({ width, height })

  // The columns of the parts can be chosen.
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  for (const column of ['Traffic', 'Direction', 'Targets', 'Filters', 'Status', 'Created']) {
    await page.getByRole('menuitemcheckbox', { name: column }).click()
  }
  await closeByEscape(page)
  const lab = row(page, 'deny-lab').getByRole('cell')
  await expect(lab.nth(3)).toHaveText('Deny')
  await expect(lab.nth(4)).toHaveText('Outbound')
  await expect(lab.nth(5)).toHaveText('Instance wheel')
  await expect(lab.nth(6)).toContainText('IP subnet 10.0.0.0/24')
  await expect(lab.nth(7)).toHaveText('Disabled')
  const web = row(page, 'web').getByRole('cell')
  await expect(web.nth(6)).toContainText('IP subnet 10.0.0.0/24')
  await expect(web.nth(6)).toContainText('TCP 80, 443')
  await lab.nth(6).getByRole('button', { name: '+4 Other filters' }).click()
  await expect(dialog(page, 'Other filters').getByRole('listitem')).toHaveText([
    'IP subnet 10.0.1.0/24',
    'IP subnet 10.0.2.0/24',
    'Port 80',
    'Port 443',
  ])
  await closeByEscape(page)
  await expectAccessible(page)

  const search = page.getByRole('searchbox', { name: 'Search rules' })
  await search.fill('allow tcp 80')
  await expect(names).toHaveText(['web'])
  await expect(page.getByText('1 of 6 rules')).toBeVisible()
  await search.fill('nothing')
  await expect(page.getByRole('heading', { name: 'No rules match' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await page.getByRole('button', { name: 'Direction' }).first().click()
  await page.getByRole('menuitemcheckbox', { name: 'Outbound' }).click()
  await expect(page).toHaveURL(/direction=outbound/)
  await closeByEscape(page)
  await expect(names).toHaveText(['deny-lab'])
})

test('rules are enabled, disabled and deleted from the list, one and several @long', async ({
  page,
  api,
}) => {
  await setRules(
    api,
    ['a', 'b', 'c'].map((name) => firewallRule(name)),
  )
  await page.goto(RULES)
  await rowAction(page, 'a', 'Disable')
  await expect(row(page, 'a')).toContainText('Disabled')
  await rowAction(page, 'a', 'Enable')
  await expect(row(page, 'a')).not.toContainText('Disabled')
  const before = await rulesOf(api)

  await row(page, 'a').getByRole('checkbox').check()
  await row(page, 'b').getByRole('checkbox').check()
  const bar = page.getByRole('toolbar', { name: 'Bulk actions' })
  await expect(bar).toContainText('2 selected')
  await expectDisabled(bar.getByRole('button', { name: 'Enable' }), 'They are enabled already')
  await bar.getByRole('button', { name: 'Disable' }).click()
  await expect(toasts(page)).toContainText('2 firewall rules disabled')
  await expect(bar).toBeHidden()
  await expect(row(page, 'b')).toContainText('Disabled')
  // By one replacement: the other rules were replaced once.
  const after = await rulesOf(api)
  expect(after.map(({ status }) => status)).toEqual(['disabled', 'disabled', 'enabled'])
  expect(after.map(({ timeCreated }) => timeCreated)).toEqual(
    before.map(({ timeCreated }) => timeCreated),
  )

  await rowAction(page, 'a', 'Delete')
  await expect(dialog(page, 'Delete firewall rule')).toContainText(
    'delete a? Allow all traffic from anywhere to VPC default (disabled).',
  )
  await confirm(page, 'Delete firewall rule')
  await expect(row(page, 'a')).toBeHidden()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await confirm(page, 'Delete firewall rules')
  await expect(page.getByRole('heading', { name: 'No firewall rules' })).toBeVisible()
  expect(await rulesOf(api)).toEqual([])
})

test('a change of one rule is applied to the rules that another user has changed @long', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.expect(/412|ERR_FAILED/)
  await setRules(api, [firewallRule('a'), firewallRule('b')])
  // The page gets no events.
  await page.route('**/x/v1/events', (route) => route.abort())
  await page.goto(RULES)
  const menu = await openRowActions(page, 'a')
  await setRules(api, [firewallRule('a'), firewallRule('b', { priority: 7 }), firewallRule('c')])
  await menu.getByRole('menuitem', { name: 'Disable', exact: true }).click()
  await expect(row(page, 'a')).toContainText('Disabled')
  await expect(row(page, 'c')).toBeVisible()
  expect(
    (await rulesOf(api)).map(({ name, status, priority }) => [name, status, priority]),
  ).toEqual([
    ['a', 'disabled', 100],
    ['b', 'enabled', 7],
    ['c', 'enabled', 100],
  ])
})

test('a thousand rules: the first ones are drawn, and all are searched @long', async ({
  page,
  api,
}) => {
  await setRules(
    api,
    Array.from({ length: 1024 }, (_, index) =>
      firewallRule(`rule-${String(index).padStart(4, '0')}`, { priority: index }),
    ),
  )
  await page.goto(RULES)
  await expect(page.getByText('100 of 1,024 rules are shown')).toBeVisible()
  await expectDisabled(
    page.getByRole('button', { name: 'New rule' }),
    'A VPC has at most 1,024 firewall rules',
  )
  await page.getByRole('searchbox', { name: 'Search rules' }).fill('rule-1023')
  await expect(row(page, 'rule-1023')).toBeVisible()
  await expect(page.getByText('1 of 1,024 rules')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('row')).toHaveCount(1025)
})

test('changed priorities reorder the rules @long', async ({ page, api }) => {
  await setRules(
    api,
    ['a', 'b', 'c', 'd'].map((name, index) => firewallRule(name, { priority: index * 100 })),
  )
  await page.goto(RULES)
  await rowAction(page, 'd', 'Change order')
  const form = dialog(page, 'Change order of rules')
  const list = form.getByRole('list', { name: 'Firewall rules by priority' }).getByRole('listitem')
  await expectDisabled(form.getByRole('button', { name: 'Update order' }), 'No rule has been moved')
  await expect(form.getByRole('button', { name: 'Move d up' })).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(list).toContainText(['a', 'b', 'd', 'c'])
  await expect(list.nth(2)).toContainText('300 → 190')
  await expect(form.getByRole('button', { name: 'Move d up' })).toBeFocused()
  await expect(form.getByText('1 rule will get another priority')).toBeVisible()
  await form.getByRole('button', { name: 'Move d down' }).click()
  await expect(form.getByText('No priority is changed')).toBeVisible()
  await form.getByRole('button', { name: 'Move a down' }).click()
  await form.getByRole('button', { name: 'Move a down' }).click()
  await expect(list).toContainText(['b', 'c', 'a', 'd'])
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Update order' }).click()
  await expect(toasts(page)).toContainText('Order of firewall rules updated')
  await expect(page.getByRole('table').getByRole('link')).toHaveText(['b', 'c', 'a', 'd'])
  expect((await rulesOf(api)).map(({ priority }) => priority)).toEqual([290, 100, 200, 300])
})

test('a rule is moved by dragging @long', async ({ page, api }) => {
  await setRules(
    api,
    ['a', 'b', 'c'].map((name, index) => firewallRule(name, { priority: index * 100 })),
  )
  await page.goto(RULES)
  await page.getByRole('button', { name: 'Change order' }).click()
  const form = dialog(page, 'Change order of rules')
  const list = form.getByRole('list', { name: 'Firewall rules by priority' }).getByRole('listitem')
  await expect(list).toContainText(['a', 'b', 'c'])
  const handle = list.nth(2).locator('.cursor-grab')
  await handle.hover()
  await page.mouse.down()
  await list.nth(0).locator('.cursor-grab').hover()
  await page.mouse.up()
  await expect(list).toContainText(['c', 'a', 'b'])
})

test('rules with the former name of the VPC are changed to its new one @long', async ({
  page,
  api,
}) => {
  await api.vpcUpdate({
    path: { vpc: 'default' },
    query: { project: 'mill' },
    body: { name: 'yard' },
  })
  await page.goto('/projects/mill/vpcs/yard/firewall-rules')
  await expect(page.getByText('Some rules name another VPC')).toBeVisible()
  await page.getByRole('button', { name: 'Change to yard' }).click()
  await expect(page.getByText('Some rules name another VPC')).toBeHidden()
  await expect(row(page, 'allow-internal-inbound')).toContainText('VPC yard')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('rules fit, and can be edited @long', async ({ page }) => {
    await page.goto(RULES)
    await expect(row(page, 'allow-ssh')).toContainText('Allow TCP 22 from anywhere')
    await expectNoSidewaysScroll(page)
    await rowAction(page, 'allow-ssh', 'Edit')
    await expect(dialog(page, 'Edit rule').getByRole('textbox', { name: 'Name' })).toHaveValue(
      'allow-ssh',
    )
    await expectNoSidewaysScroll(page)
  })
})

test('the deletion of a rule is shown as code @long', async ({ page }) => {
  await page.goto(RULES)
  await rowAction(page, 'allow-ssh', 'Delete')
  const code = await showAsCode(dialog(page, 'Delete firewall rule'), 'Terraform')
  await expect(code).toContainText('resource "oxide_vpc_firewall_rules" "default"')
  await expect(code).toContainText('allow-icmp')
  await expect(code).not.toContainText('allow-ssh')
})
