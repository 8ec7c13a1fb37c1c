/** Flows that a change of a network would open and close, over HTTP. */
import type { Wire } from '@steading/api'
import { questionProblems as problems } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { stoppedInstance } from '../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'shop', vpc: 'default' }
const inProject = { project: 'shop' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'shop', description: '' } })
  for (const name of ['db', 'web-1', 'web-2']) await stoppedInstance(admin, inProject, name)
})
afterAll(() => server.close())

const plan = (body: Wire.NetworkChange, more: object = {}) =>
  admin.call('reachability_changes', { query: { ...query, ...more }, body: body as never })

/** The present rules, in the form for replacing them. */
async function presentRules(): Promise<Wire.VpcFirewallRuleUpdate[]> {
  const { rules } = await admin.call('vpc_firewall_rules_view', { query })
  return rules.map(
    ({ name, description, status, direction, targets, filters, action, priority }) => ({
      name,
      description,
      status,
      direction,
      targets,
      filters,
      action,
      priority,
    }),
  )
}

/** Sorted lines: source, target, and the flows that open and close. */
const lines = ({ changes }: Wire.NetworkChanges) =>
  changes
    .map(({ from, to, gained, lost }) => {
      const end = ({ instances, outside }: typeof from) =>
        [...instances.map(({ name }) => name), ...outside].join(' ')
      const traffic = (list: typeof gained) =>
        [...new Set(list.map(({ protocol, ports }) => [protocol, ...ports].join(' ')))].join(', ')
      return `${end(from)} → ${end(to)}: +[${traffic(gained)}] -[${traffic(lost)}]`
    })
    .toSorted()

test('unchanged rules change nothing', async () => {
  const update = { rules: await presentRules() }
  expect(await plan({ type: 'firewall_rules', update })).toEqual({
    changes: [],
    more_changes: 0,
    left_out: { instances: 0, networks: 0, pairs: 0 },
  })
})

test('the plan of new rules matches their effect', async () => {
  const rules: Wire.VpcFirewallRuleUpdate[] = [
    ...(await presentRules()),
    {
      name: 'deny-web',
      description: '',
      status: 'enabled',
      direction: 'inbound',
      targets: [{ type: 'instance', value: 'db' }],
      filters: { protocols: [{ type: 'tcp' }], ports: ['80-443'] },
      action: 'deny',
      priority: 10,
    },
  ]
  const changes = await plan({ type: 'firewall_rules', update: { rules } })
  expect(lines(changes)).toEqual(['web-1 web-2 → db: +[] -[tcp 80-443]'])
  expect(changes.changes[0]).toMatchObject({ pairs: 2, from: { total: 2 } })
  await admin.call('vpc_firewall_rules_update', { query, body: { rules } })
  const reaches = async (port: number) => {
    const answer = await admin.call('reachability_test', {
      query: inProject,
      body: {
        from: { type: 'instance', instance: 'web-1' },
        to: { type: 'instance', instance: 'db' },
        protocol: 'tcp',
        port,
      },
    })
    return answer.there.filter(({ kind }) => kind === 'firewall').every(({ passed }) => passed)
  }
  expect([await reaches(79), await reaches(80), await reaches(443), await reaches(444)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  // One line covers all pairs of different instances.
  expect(lines(await plan({ type: 'firewall_rules', update: { rules: [] } }))).toEqual([
    'db web-1 web-2 → web-1 web-2: +[] -[tcp, udp, icmp, icmp6]',
    'web-1 web-2 → db: +[] -[tcp 1-79 444-65535, udp, icmp, icmp6]',
  ])
})

test('also plans routes, routers of subnets and interfaces', async () => {
  await admin.call('vpc_router_create', { query, body: { name: 'own', description: '' } })
  const drop = {
    destination: { type: 'ip_net' as const, value: '0.0.0.0/0' },
    target: { type: 'drop' as const },
  }
  const create = { name: 'nowhere', description: '', ...drop }
  const router = { router: 'own' }
  // No subnet uses the router yet.
  expect((await plan({ type: 'route_create', create }, router)).changes).toEqual([])
  await admin.call('vpc_router_route_create', { query: { ...query, ...router }, body: create })
  const attach = { type: 'subnet_router' as const, subnet: 'default', custom_router: 'own' }
  expect(lines(await plan(attach))).toEqual(['db web-1 web-2 → internet: +[] -[tcp, udp, icmp]'])
  const toGateway = await plan(
    {
      type: 'route_update',
      route: 'default-v4',
      update: drop,
    },
    { router: 'system' },
  )
  expect(lines(toGateway)).toEqual(['db web-1 web-2 → internet: +[] -[tcp, udp, icmp]'])
  expect((await plan({ type: 'route_delete', route: 'nowhere' }, router)).changes).toEqual([])
  const interfaces = { instance: 'web-2' }
  const removed = await plan({ type: 'network_interface_delete', interface: 'net0' }, interfaces)
  expect(lines(removed)).toContain('web-2 → internet: +[] -[tcp, udp, icmp]')
  const same = { interface: 'net0', primary: true, transit_ips: [] }
  expect((await plan({ type: 'network_interface_update', ...same }, interfaces)).changes).toEqual(
    [],
  )
})

test('an impossible change is refused like the change itself', async () => {
  const refused = async (body: object, more: object = {}) => {
    const { status, message } = await admin.refusal('reachability_changes', {
      query: { ...query, ...more },
      body: body as never,
    })
    return [status, message]
  }
  const rules = await presentRules()
  expect(
    await refused({ type: 'firewall_rules', update: { rules: [...rules, ...rules] } }),
  ).toEqual([400, expect.stringContaining('Rule names must be unique')])
  expect(await refused({ type: 'firewall_rules', update: { rules } }, { vpc: undefined })).toEqual([
    400,
    problems.missing('vpc'),
  ])
  expect(
    await refused({ type: 'route_delete', route: 'default-v4' }, { router: 'system' }),
  ).toEqual([400, 'DELETE not allowed on system routes'])
})

test('shows the rules of an instance for each interface, in the order of evaluation', async () => {
  const { interfaces } = await admin.call('instance_firewall_rules_view', {
    params: { instance: 'db' },
    query: inProject,
  })
  expect(interfaces).toMatchObject([{ interface: { name: 'net0' }, outbound: [] }])
  expect(interfaces[0]!.inbound.map(({ name, overruled }) => [name, overruled])).toEqual([
    ['deny-web', false],
    ['allow-icmp', false],
    ['allow-internal-inbound', false],
    ['allow-ssh', false],
  ])
  const rules = await presentRules()
  const first = { ...rules[0]!, name: 'all', filters: {}, priority: 0 }
  await admin.call('vpc_firewall_rules_update', { query, body: { rules: [...rules, first] } })
  const after = await admin.call('instance_firewall_rules_view', {
    params: { instance: 'web-1' },
    query: inProject,
  })
  expect(after.interfaces[0]!.inbound.map(({ overruled }) => overruled)).toEqual([
    false,
    true,
    true,
    true,
  ])
})
