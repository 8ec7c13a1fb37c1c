import type { Page } from '@playwright/test'
import type {
  ApiClient,
  InstanceCreate,
  InstanceNetworkInterfaceCreate,
  VpcFirewallRuleUpdate,
} from '@steading/api/client'
import { codeIn, showAsCode } from '../../support/as-code.ts'
import { ok, type Seed } from '../../support/seed.ts'
import { connected, line, screen } from '../../support/terminal.ts'
import { expect, test } from '../../support/test.ts'
import { confirm, dialog, heading, row, rowAction, toasts } from '../../support/ui.ts'

const VPC = '/projects/mill/vpcs/estate'
const query = { project: 'mill', vpc: 'estate' }

const postgres = Buffer.from('#cloud-config\npackages:\n  - postgresql\n').toString('base64')

/** Only the bastion may reach the database. */
const rules: VpcFirewallRuleUpdate[] = [
  {
    name: 'ssh-to-bastion',
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 100,
    targets: [{ type: 'subnet', value: 'public' }],
    filters: { protocols: [{ type: 'tcp' }], ports: ['22'] },
  },
  {
    name: 'postgres-from-bastion',
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 100,
    targets: [{ type: 'subnet', value: 'private' }],
    filters: {
      hosts: [{ type: 'instance', value: 'bastion' }],
      protocols: [{ type: 'tcp' }],
      ports: ['5432'],
    },
  },
]

const nicIn = (subnetName: string): InstanceNetworkInterfaceCreate => ({
  name: 'net0',
  description: '',
  vpcName: 'estate',
  subnetName,
  ipConfig: { type: 'v4', value: { ip: { type: 'auto' } } },
})

/** A bastion with a floating IP in a public subnet, and a database in a private one. */
async function makeEstate(api: ApiClient, seed: Seed): Promise<void> {
  const identity = (name: string) => ({ name, description: '' })
  await ok(
    api.vpcCreate({
      query: { project: 'mill' },
      body: { ...identity('estate'), dnsName: 'estate' },
    }),
  )
  const subnets = { public: '10.1.0.0/24', private: '10.2.0.0/24' }
  for (const [name, ipv4Block] of Object.entries(subnets)) {
    await ok(api.vpcSubnetCreate({ query, body: { ...identity(name), ipv4Block } }))
  }
  const inSubnet = (subnet: string): Partial<InstanceCreate> => ({
    networkInterfaces: { type: 'create', params: [nicIn(subnet)] },
    start: true,
  })
  await seed.floatingIp('mill', 'door')
  await seed.instance('mill', 'bastion', {
    ...inSubnet('public'),
    externalIps: [{ type: 'floating', floatingIp: 'door' }],
  })
  await seed.instance('mill', 'db', { ...inSubnet('private'), userData: postgres })
  await seed.until('mill', 'bastion', 'running')
  await seed.until('mill', 'db', 'running')
  await ok(api.vpcFirewallRulesUpdate({ query, body: { rules } }))
}

const status = (page: Page) => page.getByRole('region', { name: 'Answer' }).getByRole('status')

/** Tries the database port from the bastion's guest. */
async function tryPort(page: Page): Promise<void> {
  await page.goto('/projects/mill/instances/bastion/serial-console')
  await expect(connected(page)).toBeVisible()
  await expect(line(page, /^bastion:~#/).last()).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('nc -zv -w 1 db 5432\n')
}

test('the network around a bastion is created in forms, which show it as Terraform @long', async ({
  page,
  project,
}) => {
  // Five forms.
  test.slow()
  const named = async (title: string, name: string) => {
    const form = dialog(page, title)
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    return form
  }
  await test.step('the VPC', async () => {
    await page.goto(`/projects/${project.name}/vpcs-new`)
    const form = await named('Create VPC', 'estate')
    await form.getByRole('textbox', { name: 'DNS name' }).fill('estate')
    const code = await showAsCode(form, 'Terraform')
    await expect(code).toContainText('resource "oxide_vpc" "estate"')
    await expect(code).toContainText(/dns_name\s+= "estate"/)
    await form.getByRole('button', { name: 'Create VPC' }).click()
    await expect(heading(page, 'estate')).toBeVisible()
  })
  for (const [name, block] of Object.entries({ public: '10.1.0.0/24', private: '10.2.0.0/24' })) {
    await test.step(`the ${name} subnet`, async () => {
      await page.goto(`${VPC}/subnets-new`)
      const form = await named('Create VPC subnet', name)
      await form.getByRole('textbox', { name: 'IPv4 block' }).fill(block)
      const code = await showAsCode(form, 'Terraform')
      await expect(code).toContainText(`resource "oxide_vpc_subnet" "${name}"`)
      await expect(code).toContainText(`"${block}"`)
      await form.getByRole('button', { name: 'Create VPC subnet' }).click()
      await expect(row(page, name)).toContainText(block)
    })
  }
  await test.step('the rule', async () => {
    await page.goto(`${VPC}/firewall-rules-new`)
    const form = await named('Add firewall rule', 'no-telnet')
    await form.getByRole('radio', { name: 'Deny' }).check()
    const code = await showAsCode(form, 'Terraform')
    await expect(code).toContainText('resource "oxide_vpc_firewall_rules" "estate"')
    await expect(code).toContainText('no-telnet')
    // The resource contains all rules of the VPC.
    await expect(code).toContainText('allow-internal-inbound')
    await form.getByRole('button', { name: 'Add rule' }).click()
    // It denies everything, to everybody.
    await confirm(page, 'Add rule')
    await expect(row(page, 'no-telnet')).toBeVisible()
  })
  await test.step('the floating IP', async () => {
    await page.goto(`/projects/${project.name}/floating-ips-new`)
    const form = await named('Create floating IP', 'door')
    await expect(await showAsCode(form, 'Terraform')).toContainText(
      'resource "oxide_floating_ip" "door"',
    )
    await expect(codeIn(form)).toContainText('project_id')
    await form.getByRole('button', { name: 'Create floating IP' }).click()
    await expect(toasts(page)).toContainText('Floating IP door created')
  })
})

test('a database that only a bastion reaches @long', async ({ page, project, api, seed }) => {
  // As many steps as several other tests.
  test.slow()
  expect(project.name).toBe('mill')
  await makeEstate(api, seed)

  await test.step('the internet does not reach the database, the bastion does', async () => {
    const asked = 'to=instance:db&protocol=tcp&port=5432'
    await page.goto(`/projects/mill/reachability?from=internet&${asked}`)
    await expect(status(page)).toContainText('The internet cannot reach db on TCP 5432')
    await page.goto(`/projects/mill/reachability?from=instance:bastion&${asked}`)
    await expect(status(page)).toHaveText(
      'bastion reaches db on TCP 5432: the inbound rule postgres-from-bastion allows it.',
    )
    // The picture is wider than its frame, which shows the path.
    await expect(page.getByRole('treeitem', { name: /^bastion, .* of the path/ })).toBeInViewport()
    await expect(page.getByRole('treeitem', { name: /^db, .* of the path/ })).toBeInViewport()
  })
  await test.step('the guest of the bastion finds the same', async () => {
    await tryPort(page)
    await expect(line(page, /port \[tcp|\[tcp\/\*\] succeeded/)).toBeVisible()
  })
  await test.step('the form of the rule says what a change breaks', async () => {
    await page.goto(`${VPC}/firewall-rules/postgres-from-bastion/edit`)
    await page.getByRole('radio', { name: 'Deny' }).check()
    const plan = page.getByRole('region', { name: 'Effect on connections' })
    await expect(plan.getByRole('status')).toHaveText('Closes 1 connection.')
    await expect(plan.getByRole('listitem')).toContainText(/bastion → db.*TCP 5432/)
    await page.getByRole('button', { name: 'Update rule' }).click()
    await expect(page).toHaveURL(/firewall-rules$/)
  })
  await test.step('the guest and the picture confirm it', async () => {
    await tryPort(page)
    await expect(line(page, /failed: Connection timed out/)).toBeVisible()
    await page.goto(`${VPC}/topology?from=instance:bastion&to=instance:db&protocol=tcp&port=5432`)
    const thing = (name: RegExp) => page.getByRole('treeitem', { name })
    await expect(thing(/^public, subnet, 10\.1\.0\.0\/24/)).toBeVisible()
    await expect(thing(/^private, subnet, 10\.2\.0\.0\/24/)).toBeVisible()
    await expect(thing(/^db, .* The inbound rule postgres-from-bastion denies it/)).toBeVisible()
  })
})

test('a project with a network is deleted with all its contents @long', async ({
  page,
  project,
  api,
  seed,
}) => {
  // Running instances are stopped and deleted step by step.
  test.slow()
  await makeEstate(api, seed)
  await page.goto('/projects')
  await rowAction(page, project.name, 'Delete')
  const question = dialog(page, 'Delete project')
  for (const thing of ['VPC estate', 'Instance db', 'Floating IP door']) {
    await expect(question).toContainText(thing)
  }
  await question
    .getByRole('textbox', { name: `Type ${project.name} to confirm` })
    .fill(project.name)
  await question.getByRole('button', { name: /^Delete with \d+ other things$/ }).click()
  const plan = dialog(page, `Delete project ${project.name}`)
  await expect(plan.getByText(/^\d+ steps done$/).first()).toBeVisible()
  await plan.getByRole('button', { name: 'Close' }).first().click()
  await expect(row(page, project.name)).toBeHidden()
  expect((await ok(api.projectList({}))).items).toEqual([])
})
