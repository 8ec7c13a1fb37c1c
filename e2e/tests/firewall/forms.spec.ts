import type { Locator } from '@playwright/test'
import { expectAccessible } from '../../support/accessibility.ts'
import { addRules, firewallRule, RULES, rulesOf, setRules } from '../../support/firewall.ts'
import { expect, test } from '../../support/test.ts'
import {
  closeByEscape,
  confirm,
  dialog,
  expectDisabled,
  expectFieldError,
  toasts,
} from '../../support/ui.ts'

test.beforeEach(({ project }) => {
  expect(project.name).toBe('mill')
})

const choose = async (form: Locator, list: string, option: string) => {
  await form.getByRole('button', { name: list }).click()
  await form.page().getByRole('option', { name: option, exact: true }).click()
}

test('a rule is created with targets and host filters of every kind', async ({ page, api }) => {
  await page.goto(`${RULES}-new`)
  await expect(page).toHaveTitle(/^New Rule \/ Firewall Rules \/ default \/ VPCs/)
  const form = dialog(page, 'Add firewall rule')
  const add = form.getByRole('button', { name: 'Add rule' })
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('allow-ssh')
  await add.click()
  await expectFieldError(name, 'Name taken. To update an existing rule, edit it directly.')
  await name.fill('whole')
  await form.getByRole('checkbox', { name: 'Enabled' }).uncheck()
  await form.getByRole('radio', { name: 'Deny' }).check()
  await form.getByRole('radio', { name: 'Outbound' }).check()
  await form.getByRole('spinbutton', { name: 'Priority' }).fill('7')

  const targets = form.getByRole('table', { name: 'Targets' })
  const addTarget = form.getByRole('button', { name: 'Add target' })
  await form.getByRole('combobox', { name: 'VPC name' }).first().click()
  await page.getByRole('option', { name: 'default' }).click()
  await addTarget.click()
  await expect(targets.getByRole('row')).toContainText(['Type', 'vpcdefault'])
  // Enter adds the typed entry without sending the form.
  await choose(form, 'Target type', 'Instance')
  const instance = form.getByRole('combobox', { name: 'Instance name' })
  await instance.fill('not yet there')
  await instance.press('Enter')
  await expect(form.getByText('Can only contain lower-case letters')).toBeVisible()
  await instance.fill('not-yet-there')
  await instance.press('Enter')
  await expect(form.getByRole('button', { name: 'Target type' })).toContainText('VPC')
  await choose(form, 'Target type', 'IP subnet')
  const network = form.getByRole('textbox', { name: 'IP network' })
  await network.fill('10.1.1.1/33')
  await addTarget.click()
  await expectFieldError(network, 'Max width for IPv4 is 32')
  await network.fill('10.1.1.1/024')
  await addTarget.click()
  await expect(targets.getByRole('row')).toHaveCount(4)

  await choose(form, 'Host type', 'IP')
  const address = form.getByRole('textbox', { name: 'IP address' })
  await address.fill('01.2.3.4')
  await address.press('Enter')
  await expectFieldError(address, 'Not a valid IP address')
  await address.fill('fd00::1')
  await address.press('Enter')
  await expect(form.getByRole('table', { name: 'Host filters' })).toContainText('fd00::1')
  await add.click()
  await expect(toasts(page)).toContainText('Firewall rule whole created')
  await expect(page).toHaveURL(RULES)
  const made = (await rulesOf(api)).find((rule) => rule.name === 'whole')
  expect(made).toMatchObject({
    status: 'disabled',
    action: 'deny',
    direction: 'outbound',
    priority: 7,
    targets: [
      { type: 'vpc', value: 'default' },
      { type: 'instance', value: 'not-yet-there' },
      { type: 'ip_net', value: '10.1.1.1/24' },
    ],
    filters: { hosts: [{ type: 'ip', value: 'fd00::1' }], ports: [], protocols: [] },
  })
})

test('a rule is added in one line, or continued in the full form', async ({
  page,
  project,
  seed,
  api,
}) => {
  await seed.instance(project.name, 'wheel', { networkInterfaces: { type: 'default_ipv4' } })
  await page.goto(RULES)
  const line = page.getByRole('form', { name: 'New rule in one line' })
  const [allow, from, to] = ['Allow', 'From', 'To'].map((name) =>
    line.getByRole('combobox', { name, exact: true }),
  ) as [Locator, Locator, Locator]
  // An open list hides the rest of the page from screen readers.
  const type = async (field: Locator, text: string) => {
    await field.fill(text)
    await field.press('Escape')
  }
  const add = line.getByRole('button', { name: 'Add rule' })
  // What is wrong with a text is told when it is complete, before the rule is added.
  await type(allow, '8080, udp/53')
  await expectFieldError(
    allow,
    'A rule applies all its ports to all its protocols: add a rule for each protocol',
  )
  await allow.fill('ssh')
  await page.getByRole('option', { name: /^SSH/ }).click()
  // The address of the browser is shown before it is used, and refused as it is private.
  await from.click()
  await page.getByRole('option', { name: 'My address (127.0.0.1)' }).click()
  await expect(from).toHaveAccessibleDescription(/The server sees 127.0.0.1, which is not a public/)
  await type(from, '198.51.100.0/24')
  await to.click()
  await page.getByRole('option', { name: /^wheel/ }).click()
  await expect(line.getByText('Allow TCP 22 from 198.51.100.0/24 to wheel')).toBeVisible()
  // SSH is open to everyone in a new VPC.
  await expect(line.getByText('No connection is opened or closed.')).toBeVisible()
  await expectAccessible(page)
  // The typed line is there after a visit elsewhere, and rules that others add meanwhile stay.
  await page.getByRole('tab', { name: 'VPC Subnets' }).click()
  await expect(line).toBeHidden()
  await page.goBack()
  await expect(from).toHaveValue('198.51.100.0/24')
  await addRules(api, firewallRule('theirs', { priority: 300 }))
  await expect(line.getByText(/Priority 310, after theirs/)).toBeVisible()
  await add.click()
  await expect(toasts(page)).toContainText(
    'Firewall rule allow-ssh-from-198-51-100-0-24-to-wheel created',
  )
  await expect(allow).toBeFocused()
  await expect(allow).toHaveValue('')
  const made = (await rulesOf(api)).find(({ name }) => name.startsWith('allow-ssh-from'))
  expect(made).toMatchObject({
    action: 'allow',
    direction: 'inbound',
    status: 'enabled',
    priority: 310,
    targets: [{ type: 'instance', value: 'wheel' }],
    filters: {
      hosts: [{ type: 'ip_net', value: '198.51.100.0/24' }],
      ports: ['22'],
      protocols: [{ type: 'tcp' }],
    },
  })
  await type(allow, 'https')
  await type(from, '198.51.100.0/33')
  await type(to, 'wheel')
  await line.getByRole('button', { name: 'More options' }).click()
  const form = dialog(page, 'Add firewall rule')
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await expect(form.getByRole('spinbutton', { name: 'Priority' })).toHaveValue('320')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('web')
  // Nothing typed is lost, and nothing opens wider than it was meant.
  const network = form.getByRole('textbox', { name: 'IP network' })
  await expect(network).toHaveValue('198.51.100.0/33')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expectFieldError(network, 'Max width for IPv4 is 32')
  await network.fill('198.51.100.0/32')
  await expect(form.getByLabel('The rule in words')).toHaveText(
    'Allow TCP 443 from 198.51.100.0/32 to wheel',
  )
  await form.getByRole('button', { name: 'Add rule' }).click()
  await expect(toasts(page)).toContainText('Firewall rule web created')
  await expect(to).toHaveValue('')
})

test('a rule is saved with entries that were typed but not added, and previewed @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  await setRules(api, [])
  for (const name of ['stones', 'wheel']) {
    await seed.instance(project.name, name, { networkInterfaces: { type: 'default_ipv4' } })
  }
  await page.goto(`${RULES}-new`)
  const form = dialog(page, 'Add firewall rule')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('typed')
  const target = form.getByRole('combobox', { name: 'VPC name' }).first()
  await target.click()
  await page.getByRole('option', { name: 'default' }).click()
  await choose(form, 'Protocol filters', 'TCP')
  await choose(form, 'Host type', 'IP subnet')
  const network = form.getByRole('textbox', { name: 'IP network' })
  await network.fill('203.0.113.0/33')
  const port = form.getByRole('textbox', { name: 'Port filters' })
  await port.fill('4433')
  const plan = form.getByRole('region', { name: 'Effect on connections' })
  await expect(plan).toContainText('4433')
  // An invalid entry is refused, and nothing is sent.
  const add = form.getByRole('button', { name: 'Add rule' })
  await add.click()
  await expectFieldError(network, 'Max width for IPv4 is 32')
  await network.fill('203.0.113.0/24')
  await expect(network).not.toHaveAttribute('aria-invalid')
  // Typed entries survive a reload as well.
  await page.reload()
  await expect(port).toHaveValue('4433')
  await expect(network).toHaveValue('203.0.113.0/24')
  await add.click()
  await expect(toasts(page)).toContainText('Firewall rule typed created')
  expect((await rulesOf(api))[0]).toMatchObject({
    targets: [{ type: 'vpc', value: 'default' }],
    filters: {
      hosts: [{ type: 'ip_net', value: '203.0.113.0/24' }],
      ports: ['4433'],
      protocols: [{ type: 'tcp' }],
    },
  })
})

test('a rule without targets or filters asks for confirmation @long', async ({ page, api }) => {
  await page.goto(`${RULES}-new`)
  const form = dialog(page, 'Add firewall rule')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('open')
  await form.getByRole('button', { name: 'Add rule' }).click()
  const question = dialog(page, 'Add rule')
  await expect(question).toContainText('The rule has no targets: it applies to no instance.')
  await expect(question).toContainText(
    'The rule has no filters: it allows all inbound traffic to its targets, from everywhere.',
  )
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await rulesOf(api)).map(({ name }) => name)).not.toContain('open')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await confirm(page, 'Add rule')
  await expect(toasts(page)).toContainText('Firewall rule open created')
  // Editing such a rule does not ask again.
  await page.getByRole('link', { name: 'open', exact: true }).click()
  const edit = dialog(page, 'Edit rule')
  await edit.getByRole('textbox', { name: 'Description' }).fill('On purpose')
  await edit.getByRole('button', { name: 'Update rule' }).click()
  await expect(toasts(page)).toContainText('Firewall rule open updated')
})

test('a rule is created with ports and protocols @long', async ({ page, api }) => {
  await page.goto(`${RULES}-new`)
  const form = dialog(page, 'Add firewall rule')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('whole')
  const port = form.getByRole('textbox', { name: 'Port filters' })
  await port.fill('12a5')
  await port.press('Enter')
  await expectFieldError(port, 'Not a valid port range')
  await port.fill(' 6000-7000 ')
  await port.press('Enter')
  await expect(form.getByRole('table', { name: 'Port filters' })).toContainText('6000-7000')
  await port.fill('6000-7000')
  await expectFieldError(port, 'Port range already added')
  await port.fill('22')
  await form.getByRole('button', { name: 'Add port filter' }).click()
  await form.getByRole('button', { name: 'remove port 22' }).click()

  const addProtocol = form.getByRole('button', { name: 'Add protocol filter' })
  await choose(form, 'Protocol filters', 'TCP')
  await addProtocol.click()
  await choose(form, 'Protocol filters', 'ICMPv4')
  const type = form.getByRole('combobox', { name: 'ICMPv4 type' })
  await type.fill('unreach')
  await page.getByRole('option', { name: '3 - Destination Unreachable' }).click()
  await expect(type).toHaveValue('3')
  const code = form.getByRole('textbox', { name: 'ICMPv4 code' })
  await code.fill('4–1')
  await addProtocol.click()
  await expectFieldError(code, 'ICMP code range start must be less than or equal to range end')
  await code.fill('1—4')
  await expect(code).toHaveValue('1-4')
  await addProtocol.click()
  for (const label of ['TCP', 'ICMPv4 3 - Destination Unreachable | Code 1-4']) {
    await expect(form.getByRole('button', { name: `Remove ${label}` })).toBeVisible()
  }
  await form.getByRole('button', { name: 'Add rule' }).click()
  await confirm(page, 'Add rule')
  await expect(toasts(page)).toContainText('Firewall rule whole created')
  const made = (await rulesOf(api)).find((rule) => rule.name === 'whole')
  expect(made!.filters).toMatchObject({
    ports: ['6000-7000'],
    protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmpType: 3, code: '1-4' } }],
  })
})

test('a copy of a rule starts with all its parts, and without changes @long', async ({
  page,
  api,
}) => {
  await addRules(api, firewallRule('web', { priority: 7, filters: { ports: ['80'] } }))
  await page.goto(`${RULES}-new/web`)
  const form = dialog(page, 'Add firewall rule')
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('web-copy')
  await expect(form.getByRole('spinbutton', { name: 'Priority' })).toHaveValue('7')
  await expect(form.getByRole('table', { name: 'Port filters' })).toContainText('80')
  await closeByEscape(page)
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(RULES)
  // An unknown rule does no harm.
  await page.goto(`${RULES}-new/nosuch`)
  await expect(form.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('')
})

test('a rule is edited and renamed @long', async ({ page, api }) => {
  await page.goto(RULES)
  await page.getByRole('link', { name: 'allow-ssh' }).click()
  await expect(page).toHaveTitle(/^Edit Rule \/ Firewall Rules/)
  const form = dialog(page, 'Edit rule')
  await expect(form).toContainText('Updated')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('allow-door')
  await form.getByRole('button', { name: 'Update rule' }).click()
  await expect(toasts(page)).toContainText('Firewall rule allow-door updated')
  await expect(page.getByRole('link', { name: 'allow-door' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'allow-ssh' })).toBeHidden()
  expect((await rulesOf(api)).map(({ name }) => name)).toEqual([
    'allow-door',
    'allow-icmp',
    'allow-internal-inbound',
  ])
})

test('an unknown rule has no page @long', async ({ page }) => {
  await page.goto(`${RULES}/nosuch/edit`)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('another user changes the rules during an edit @long', async ({ page, api }) => {
  await setRules(api, [firewallRule('a'), firewallRule('b')])
  await page.goto(`${RULES}/a/edit`)
  const form = dialog(page, 'Edit rule')
  const description = form.getByRole('textbox', { name: 'Description' })
  await description.fill('Mine')
  await setRules(api, [firewallRule('a', { priority: 7 }), firewallRule('c')])
  await expect(form.getByText('The rules were changed meanwhile', { exact: true })).toBeVisible()
  await expect(form.getByText('Added: c')).toBeVisible()
  await expect(form.getByText('Changed: a')).toBeVisible()
  await expect(form.getByText('Deleted: b')).toBeVisible()
  await expect(form.getByText('This rule itself was changed')).toBeVisible()
  const update = form.getByRole('button', { name: 'Update rule' })
  await expectDisabled(update, 'The rules were changed meanwhile: review the changes first')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Apply to the new rules' }).click()
  await expect(description).toHaveValue('Mine')
  await update.click()
  await expect(toasts(page)).toContainText('Firewall rule a updated')
  expect((await rulesOf(api)).map((rule) => [rule.name, rule.description, rule.priority])).toEqual([
    ['a', 'Mine', 100],
    ['c', '', 100],
  ])
})

test('a change unknown to the page is not undone @long', async ({ page, api, consoleErrors }) => {
  consoleErrors.expect(/412|API error|ERR_FAILED|Failed to load/)
  await page.route('**/x/v1/events', (route) => route.abort())
  await page.goto(`${RULES}-new`)
  const form = dialog(page, 'Add firewall rule')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('mine')
  await addRules(api, firewallRule('theirs'))
  await form.getByRole('button', { name: 'Add rule' }).click()
  await confirm(page, 'Add rule')
  await expect(form.getByText('Added: theirs')).toBeVisible()
  await form.getByRole('button', { name: 'Apply to the new rules' }).click()
  await form.getByRole('button', { name: 'Add rule' }).click()
  await confirm(page, 'Add rule')
  await expect(toasts(page)).toContainText('Firewall rule mine created')
  expect((await rulesOf(api)).map(({ name }) => name)).toContain('theirs')
})

test('input survives a reload, and is gone once the form is left @long', async ({ page }) => {
  await page.goto(`${RULES}-new`)
  const form = dialog(page, 'Add firewall rule')
  const name = form.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('half')
  const port = form.getByRole('textbox', { name: 'Port filters' })
  await port.fill('80')
  await port.press('Enter')
  await page.reload()
  await expect(form.getByText('Your draft was restored')).toBeVisible()
  await expect(name).toHaveValue('half')
  await expect(form.getByRole('table', { name: 'Port filters' })).toContainText('80')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toBeHidden()
  await page.getByRole('link', { name: 'New rule' }).click()
  await expect(name).toHaveValue('')
})

test('a refusal of the API is shown above the form and at its end @long', async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.expect(/400|API error/)
  await page.goto(`${RULES}-new`)
  const form = dialog(page, 'Add firewall rule')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('high')
  const port = form.getByRole('textbox', { name: 'Port filters' })
  await port.fill('70000')
  await port.press('Enter')
  await form.getByRole('button', { name: 'Add rule' }).click()
  await confirm(page, 'Add rule')
  const message = form.getByText('"70000" unparsable for type: number too large')
  await expect(message).toHaveCount(2)
  // It is refused, and leaving still asks for confirmation.
  await closeByEscape(page)
  await expect(dialog(page, 'Confirm navigation')).toBeVisible()
})

test('the form previews the connections that a rule closes @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  for (const name of ['stones', 'wheel']) {
    await seed.instance(project.name, name, { networkInterfaces: { type: 'default_ipv4' } })
  }
  await setRules(api, [
    firewallRule('inside', { filters: { hosts: [{ type: 'vpc', value: 'default' }] } }),
  ])
  await page.goto(`${RULES}/inside/edit`)
  const form = dialog(page, 'Edit rule')
  const plan = form.getByRole('region', { name: 'Effect on connections' })
  await expect(plan).toContainText('No connection is opened or closed')
  await form.getByRole('checkbox', { name: 'Enabled' }).uncheck()
  const first = plan.getByRole('listitem').first()
  await expect(first.getByRole('img', { name: 'Lost:' })).toBeVisible()
  await expect(plan).toContainText('stones')
  await expect(plan).toContainText('wheel')
  await expectAccessible(page)
})
