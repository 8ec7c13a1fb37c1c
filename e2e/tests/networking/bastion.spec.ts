import type { Page } from '@playwright/test'
import type { VpcFirewallRuleUpdate } from '@steading/api/client'
import { ok } from '../../support/seed.ts'
import { connected, line, screen } from '../../support/terminal.ts'
import { expect, test } from '../../support/test.ts'

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
    targets: [{ type: 'instance', value: 'bastion' }],
    filters: { protocols: [{ type: 'tcp' }], ports: ['22'] },
  },
  {
    name: 'postgres-from-bastion',
    description: '',
    status: 'enabled',
    direction: 'inbound',
    action: 'allow',
    priority: 100,
    targets: [{ type: 'instance', value: 'db' }],
    filters: {
      hosts: [{ type: 'instance', value: 'bastion' }],
      protocols: [{ type: 'tcp' }],
      ports: ['5432'],
    },
  },
]

const status = (page: Page) => page.getByRole('region', { name: 'Answer' }).getByRole('status')

/** Tries the port of the database in the guest of the bastion. */
async function tryPort(page: Page): Promise<void> {
  await page.goto('/projects/mill/instances/bastion/serial-console')
  await expect(connected(page)).toBeVisible()
  await expect(line(page, /^bastion:~#/).last()).toBeVisible()
  await expect(screen(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('nc -zv -w 1 db 5432\n')
}

test('a database that only a bastion reaches', async ({ page, project, api, seed }) => {
  // As many steps as several other tests.
  test.slow()
  const query = { project: project.name, vpc: 'default' }
  await seed.floatingIp(project.name, 'door')
  const running = { networkInterfaces: { type: 'default_dual_stack' }, start: true } as const
  await seed.instance(project.name, 'bastion', running)
  await seed.instance(project.name, 'db', { ...running, userData: postgres })
  await seed.until(project.name, 'bastion', 'running')
  await seed.until(project.name, 'db', 'running')
  const body = { kind: 'instance', parent: 'bastion' } as const
  await ok(
    api.floatingIpAttach({ path: { floatingIp: 'door' }, query: { project: project.name }, body }),
  )
  await ok(api.vpcFirewallRulesUpdate({ query, body: { rules } }))

  await test.step('the internet does not reach the database, the bastion does', async () => {
    const asked = 'to=instance:db&protocol=tcp&port=5432'
    await page.goto(`/projects/mill/reachability?from=internet&${asked}`)
    await expect(status(page)).toContainText('The internet cannot reach db on TCP 5432')
    await page.goto(`/projects/mill/reachability?from=instance:bastion&${asked}`)
    await expect(status(page)).toHaveText(
      'bastion reaches db on TCP 5432: the inbound rule postgres-from-bastion allows it.',
    )
  })
  await test.step('the guest of the bastion finds the same', async () => {
    await tryPort(page)
    await expect(line(page, /port \[tcp|\[tcp\/\*\] succeeded/)).toBeVisible()
  })
  await test.step('the form of the rule says what a change breaks', async () => {
    const edit = 'firewall-rules/postgres-from-bastion/edit'
    await page.goto(`/projects/mill/vpcs/default/${edit}`)
    await page.getByRole('radio', { name: 'Deny' }).check()
    const plan = page.getByRole('region', { name: 'What this changes' })
    await expect(plan.getByRole('status')).toHaveText('Closes 1 connection.')
    await expect(plan.getByRole('listitem')).toContainText(/bastion → db.*TCP 5432/)
    await page.getByRole('button', { name: 'Update rule' }).click()
    await expect(page).toHaveURL(/firewall-rules$/)
  })
  await test.step('the guest and the picture confirm it', async () => {
    await tryPort(page)
    await expect(line(page, /failed: Connection timed out/)).toBeVisible()
    await page.goto(
      '/projects/mill/vpcs/default/topology?from=instance:bastion&to=instance:db&protocol=tcp&port=5432',
    )
    await expect(
      page.getByRole('treeitem', {
        name: /^db, .* The inbound rule postgres-from-bastion denies it/,
      }),
    ).toBeVisible()
  })
})
