/** Each plan of a change, compared with the network after the change. */
import type { Wire } from '@steading/api'
import { NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import { type Changes, compareNetworks, compile, type Network } from '@steading/network'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readNetwork } from '../../src/resources/networking/reachability/rows.ts'
import type { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { addPool, addSubnetPool } from '../support/networks.ts'
import { stoppedInstance } from '../support/things.ts'

let server: TestServer
let admin: Caller
let vpcId: string
const query = { project: 'shop', vpc: 'default' }
const inProject = { project: 'shop' }
const inGateway = { ...query, gateway: 'default' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'shop', description: '' } })
  for (const name of ['db', 'web']) await stoppedInstance(admin, inProject, name)
  await stoppedInstance(admin, inProject, 'bare', { network_interfaces: { type: 'none' } })
  vpcId = (await admin.call('vpc_view', { params: { vpc: 'default' }, query: inProject })).id
  const { db, siloId } = server
  await addPool(db, 'front', { first: '198.51.100.0', last: '198.51.100.99', siloId })
  await addSubnetPool(db, 'networks', ['203.0.113.0/24'], { siloId })
  await admin.call('vpc_subnet_create', {
    query,
    body: { name: 'second', description: '', ipv4_block: '10.9.0.0/24' },
  })
  await admin.call('vpc_router_create', { query, body: { name: 'own', description: '' } })
  await admin.call('vpc_router_route_create', {
    query: { ...query, router: 'own' },
    body: {
      name: 'nowhere',
      description: '',
      destination: { type: 'ip_net', value: '0.0.0.0/0' },
      target: { type: 'drop' },
    },
  })
  const pool_selector = { type: 'explicit' as const, pool: 'front' }
  await admin.call('floating_ip_create', {
    query: inProject,
    body: { name: 'site', description: '', address_allocator: { type: 'auto', pool_selector } },
  })
  const subnets = { type: 'explicit' as const, pool: 'networks' }
  await admin.call('external_subnet_create', {
    query: inProject,
    body: {
      name: 'edge',
      description: '',
      allocator: { type: 'auto', prefix_length: 28, pool_selector: subnets },
    },
  })
})
afterAll(() => server.close())

const present = async (): Promise<Network> =>
  compile(await readNetwork(server.db, { vpcs: [vpcId] }))

function changesBetween(before: Network, after: Network): Changes {
  const work = compareNetworks(before, after, vpcId, NETWORK_CHANGE_LIMITS)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Plans a change, makes it, and returns the plan, which must match the actual change. */
async function made(
  change: Wire.NetworkChange,
  make: () => Promise<unknown>,
  more: object = query,
): Promise<Wire.NetworkChanges> {
  const before = await present()
  const plan = await admin.call('reachability_changes', { query: more, body: change as never })
  await make()
  expect(plan).toEqual(changesBetween(before, await present()))
  return plan
}

const opens = ({ changes }: Wire.NetworkChanges) => changes.some(({ gained }) => gained.length > 0)
const closes = ({ changes }: Wire.NetworkChanges) => changes.some(({ lost }) => lost.length > 0)

test('adds and removes an interface', async () => {
  const create = {
    name: 'net1',
    description: '',
    vpc_name: 'default',
    subnet_name: 'second',
    ip_config: {
      type: 'v4' as const,
      value: { ip: { type: 'auto' as const }, transit_ips: ['192.168.7.0/24'] },
    },
  }
  const of = (instance: string) => ({ ...inProject, instance })
  const add = (instance: string, body: Wire.InstanceNetworkInterfaceCreate) =>
    made(
      { type: 'network_interface_create', create: body },
      () => admin.call('instance_network_interface_create', { query: of(instance), body }),
      of(instance),
    )
  expect(opens(await add('bare', create))).toBe(true)
  await add('web', create)
  const taken = {
    ...create,
    ip_config: {
      type: 'v4' as const,
      value: { ip: { type: 'explicit' as const, value: '10.9.0.5' }, transit_ips: [] },
    },
  }
  const body = { type: 'network_interface_create', create: taken } as never
  expect(await admin.refusal('reachability_changes', { query: of('db'), body })).toMatchObject({
    status: 400,
    message: "The IP address '10.9.0.5' is not available",
  })
  await made(
    { type: 'network_interface_update', interface: 'net1', primary: true, transit_ips: [] },
    () =>
      admin.call('instance_network_interface_update', {
        params: { interface: 'net1' },
        query: of('web'),
        body: { primary: true, transit_ips: [] },
      }),
    of('web'),
  )
  const remove = (instance: string, name: string) =>
    made(
      { type: 'network_interface_delete', interface: name },
      () =>
        admin.call('instance_network_interface_delete', {
          params: { interface: name },
          query: of(instance),
        }),
      of(instance),
    )
  await remove('web', 'net0')
  expect(closes(await remove('bare', 'net1'))).toBe(true)
})

test('attaches and detaches external addresses', async () => {
  const of = { ...inProject, instance: 'db' }
  const params = { instance: 'db' }
  const pool_selector = { type: 'explicit' as const, pool: 'front' }
  const body = { pool_selector }
  const attached = await made(
    { type: 'ephemeral_ip_attach', attach: body },
    () => admin.call('instance_ephemeral_ip_attach', { params, query: inProject, body }),
    of,
  )
  expect(opens(attached)).toBe(true)
  const again = await admin.call('reachability_changes', {
    query: of,
    body: { type: 'ephemeral_ip_attach', attach: body },
  })
  expect(again.changes).toEqual([])
  const detached = await made(
    { type: 'ephemeral_ip_detach', ip_version: null },
    () => admin.call('instance_ephemeral_ip_detach', { params, query: inProject }),
    of,
  )
  expect(closes(detached)).toBe(true)
  const site = { params: { floating_ip: 'site' }, query: inProject }
  const claimed = await made(
    { type: 'floating_ip_attach', floating_ip: 'site', parent: 'db' },
    () => admin.call('floating_ip_attach', { ...site, body: { kind: 'instance', parent: 'db' } }),
  )
  expect(opens(claimed)).toBe(true)
  await made({ type: 'floating_ip_detach', floating_ip: 'site' }, () =>
    admin.call('floating_ip_detach', site),
  )
  const edge = { params: { external_subnet: 'edge' }, query: inProject }
  const led = await made(
    { type: 'external_subnet_attach', external_subnet: 'edge', attach: { instance: 'db' } },
    () => admin.call('external_subnet_attach', { ...edge, body: { instance: 'db' } }),
  )
  expect(opens(led)).toBe(true)
  await made({ type: 'external_subnet_detach', external_subnet: 'edge' }, () =>
    admin.call('external_subnet_detach', edge),
  )
})

test('attaches a router to a subnet and deletes it', async () => {
  const attached = await made(
    { type: 'subnet_router', subnet: 'default', custom_router: 'own' },
    () =>
      admin.call('vpc_subnet_update', {
        params: { subnet: 'default' },
        query,
        body: { custom_router: 'own' },
      }),
  )
  expect(closes(attached)).toBe(true)
  const gone = await made(
    { type: 'router_delete' },
    () => admin.call('vpc_router_delete', { params: { router: 'own' }, query }),
    { ...query, router: 'own' },
  )
  expect(opens(gone)).toBe(true)
})

test('changes the attachments of a gateway, and deletes it', async () => {
  const { ip: address } = await admin.call('floating_ip_attach', {
    params: { floating_ip: 'site' },
    query: inProject,
    body: { kind: 'instance', parent: 'db' },
  })
  const attached = await admin.call('internet_gateway_ip_pool_list', { query: inGateway })
  for (const { name: pool } of attached.items) {
    await made(
      { type: 'internet_gateway_ip_pool_delete', pool },
      () =>
        admin.call('internet_gateway_ip_pool_delete', {
          params: { pool },
          query: { ...inGateway, cascade: true },
        }),
      inGateway,
    )
  }
  const byAddress = await made(
    { type: 'internet_gateway_ip_address_create', address },
    () =>
      admin.call('internet_gateway_ip_address_create', {
        query: inGateway,
        body: { name: 'site', description: '', address },
      }),
    inGateway,
  )
  expect(opens(byAddress)).toBe(true)
  const without = await made(
    { type: 'internet_gateway_ip_address_delete', address: 'site' },
    () =>
      admin.call('internet_gateway_ip_address_delete', {
        params: { address: 'site' },
        query: { ...inGateway, cascade: true },
      }),
    inGateway,
  )
  expect(closes(without)).toBe(true)
  const byPool = await made(
    { type: 'internet_gateway_ip_pool_create', ip_pool: 'front' },
    () =>
      admin.call('internet_gateway_ip_pool_create', {
        query: inGateway,
        body: { name: 'front', description: '', ip_pool: 'front' },
      }),
    inGateway,
  )
  expect(opens(byPool)).toBe(true)
  const gone = await made(
    { type: 'internet_gateway_delete' },
    () =>
      admin.call('internet_gateway_delete', {
        params: { gateway: 'default' },
        query: { ...query, cascade: true },
      }),
    inGateway,
  )
  expect(closes(gone)).toBe(true)
})

test('reports no changes for an instance without a network', async () => {
  const plan = await admin.call('reachability_changes', {
    query: inProject,
    body: { type: 'floating_ip_attach', floating_ip: 'site', parent: 'bare' },
  })
  expect(plan.changes).toEqual([])
})
