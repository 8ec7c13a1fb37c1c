/** Control plane specification 8.5: internet gateways with their pools and addresses. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachDefaultPool } from '../../../src/resources/networking/internet-gateways/default-gateway.ts'
import { writingIn } from '../../../src/kernel/work.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { runJob, targets } from '../../support/jobs.ts'
import { addPool } from '../../support/networks.ts'
import { stoppedInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const { db, siloId } = server
  await addPool(db, 'linked', { first: '198.51.100.1', last: '198.51.100.9', siloId })
  await addPool(db, 'unlinked', { first: '203.0.113.1', last: '203.0.113.9' })
})
afterAll(() => server.close())

let count = 0
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

/** A new project, with its default network. */
async function newNetwork() {
  const project = `project-${count++}`
  await admin.call('project_create', { body: { name: project, description: '' } })
  const query = { project, vpc: 'default' }
  const vpc = await admin.call('vpc_view', { params: { vpc: 'default' }, query: { project } })
  return { project, query, vpc, ...gatewaysOf(query) }
}

const gatewaysOf = (query: { project: string; vpc: string }) => ({
  create: (name: string) =>
    admin.call('internet_gateway_create', { query, body: { name, description: 'A way out' } }),
  attachPool: (gateway: string, name: string, ip_pool: string) =>
    admin.call('internet_gateway_ip_pool_create', {
      query: { ...query, gateway },
      body: { name, description: '', ip_pool },
    }),
  attachAddress: (gateway: string, name: string, address: string) =>
    admin.call('internet_gateway_ip_address_create', {
      query: { ...query, gateway },
      body: { name, description: '', address },
    }),
  pools: async (gateway: string) =>
    (await admin.call('internet_gateway_ip_pool_list', { query: { ...query, gateway } })).items,
  addresses: async (gateway: string) =>
    (await admin.call('internet_gateway_ip_address_list', { query: { ...query, gateway } })).items,
  async routeTo(gateway: string) {
    const router = await admin.call('vpc_router_create', {
      query,
      body: { name: `router-${count++}`, description: '' },
    })
    return admin.call('vpc_router_route_create', {
      query: { router: router.id },
      body: {
        name: 'out',
        description: '',
        destination: { type: 'ip_net', value: '0.0.0.0/0' },
        target: { type: 'internet_gateway', value: gateway },
      },
    })
  },
})

const routeNames = async (router: string) =>
  (await admin.call('vpc_router_route_list', { query: { router } })).items.map(({ name }) => name)

describe('a gateway', () => {
  test('can be created, viewed and deleted', async () => {
    const { query, vpc, create } = await newNetwork()
    const gateway = await create('second')
    expect(gateway).toMatchObject({ vpc_id: vpc.id, description: 'A way out' })
    const named = { params: { gateway: 'second' }, query }
    expect(await admin.call('internet_gateway_view', named)).toEqual(gateway)
    const body = { name: 'second', description: '' }
    expect(await admin.refusal('internet_gateway_create', { query, body })).toMatchObject({
      message: 'already exists: internet-gateway "second"',
    })
    const names = (await admin.call('internet_gateway_list', { query })).items.map(
      (one) => one.name,
    )
    expect(names).toEqual(['default', 'second'])
    await admin.call('internet_gateway_delete', named)
    expect(await admin.refusal('internet_gateway_view', named)).toMatchObject({
      status: 404,
      message: 'not found: internet-gateway with name "second"',
    })
  })

  test('is named by id alone, or by name and VPC, and so are its attachments', async () => {
    const { query, pools } = await newNetwork()
    const [pool] = await pools('default')
    const gateway = pool!.internet_gateway_id
    expect(await admin.refusal('internet_gateway_view', { params: { gateway }, query })).toEqual(
      invalid('when providing gateway as an ID vpc and project should not be specified'),
    )
    expect(
      await admin.refusal('internet_gateway_view', { params: { gateway: 'default' } }),
    ).toEqual(invalid('gateway should either be an ID or vpc should be specified'))
    const params = { pool: pool!.id, address: pool!.id }
    expect(
      await admin.refusal('internet_gateway_ip_pool_delete', { params, query: { gateway } }),
    ).toEqual(
      invalid(
        'when providing pool as an ID gateway, subnet, vpc, and project should not be specified',
      ),
    )
    expect(
      await admin.refusal('internet_gateway_ip_address_delete', { params: { address: 'one' } }),
    ).toEqual(invalid('address should either be an ID or gateway should be specified'))
  })

  test('stays while it has attachments, unless they are deleted too', async () => {
    const { query, vpc, create, attachPool, attachAddress, routeTo } = await newNetwork()
    const { id } = await create('out')
    await attachPool('out', 'pool', 'linked')
    await attachAddress('out', 'address', '198.51.100.7')
    const route = await routeTo('out')
    const other = await routeTo('default')
    const remove = { params: { gateway: id } }
    expect(await admin.refusal('internet_gateway_delete', remove)).toEqual(
      invalid(
        'Ip pools referencing this gateway exist. To perform a cascading delete set the cascade option',
      ),
    )
    await admin.call('internet_gateway_ip_pool_delete', {
      params: { pool: 'pool' },
      query: { ...query, gateway: 'out' },
    })
    expect(await admin.refusal('internet_gateway_delete', remove)).toEqual(
      invalid(
        'Ip addresses referencing this gateway exist. To perform a cascading delete set the cascade option',
      ),
    )
    const { groups } = await admin.call('internet_gateway_deletion', remove)
    expect(
      groups.map(({ relation, kind, total, reason }) => [relation, kind, total, reason]),
    ).toEqual([
      ['goes', 'internet_gateway_ip_address', 1, 'Will be detached'],
      ['goes', 'router_route', 1, 'Deleted because they lead to the gateway'],
    ])
    await admin.call('internet_gateway_delete', { ...remove, query: { cascade: true } })
    expect(await routeNames(route.vpc_router_id)).toEqual([])
    expect(await routeNames(other.vpc_router_id)).toEqual(['out'])
    expect(await routeNames(vpc.system_router_id)).toContain('default-v4')
    // Its name is free, and the next gateway with it has no attachments.
    await create('out')
    expect(await gatewaysOf(query).pools('out')).toEqual([])
    expect(await gatewaysOf(query).addresses('out')).toEqual([])
  })

  test('is listed with its parts, and deleted in bulk', async () => {
    const { query, project, create, attachAddress } = await newNetwork()
    const { id } = await create('bare')
    await attachAddress('default', 'b', '198.51.100.2')
    await attachAddress('default', 'a', '198.51.100.1')
    const found = await admin.call('internet_gateway_search', { query })
    expect(found).toMatchObject({
      total: 2,
      items: [
        { name: 'bare', ip_pools: [], ip_addresses: [], route_count: 0 },
        {
          name: 'default',
          ip_pools: [{ name: 'default-v4' }],
          ip_addresses: [{ name: 'a', address: '198.51.100.1' }, { name: 'b' }],
          route_count: 2,
        },
      ],
    })
    const both = found.items.map((gateway) => gateway.id)
    await runJob(admin, 'delete', 'internet_gateway', targets(...both), project)
    expect((await admin.call('internet_gateway_search', { query })).items).toEqual([])
    // Gateways do not block the deletion of a VPC.
    await admin.call('vpc_subnet_delete', { params: { subnet: 'default' }, query })
    await admin.call('vpc_delete', { params: { vpc: 'default' }, query: { project } })
    expect(await admin.refusal('internet_gateway_view', { params: { gateway: id } })).toMatchObject(
      {
        status: 404,
      },
    )
  })
})

describe('a pool of a gateway', () => {
  test('must be linked to the silo', async () => {
    const { query, attachPool } = await newNetwork()
    const pool = await admin.call('ip_pool_view', { params: { pool: 'linked' } })
    expect(await attachPool('default', 'more', 'linked')).toMatchObject({ ip_pool_id: pool.id })
    const body = { name: 'x', description: '', ip_pool: 'unlinked' }
    expect(
      await admin.refusal('internet_gateway_ip_pool_create', {
        query: { ...query, gateway: 'default' },
        body,
      }),
    ).toMatchObject({ status: 404, message: 'not found: ip-pool with name "unlinked"' })
    expect(
      await admin.refusal('internet_gateway_ip_pool_create', {
        query: { ...query, gateway: 'default' },
        body: { ...body, name: 'more', ip_pool: 'linked' },
      }),
    ).toMatchObject({ message: 'already exists: internet-gateway-ip-pool "more"' })
  })

  test('stays while instances send from it, unless cascade is set', async () => {
    const { project, query, vpc, pools } = await newNetwork()
    const params = { pool: 'default-v4' }
    const inGateway = { ...query, gateway: 'default' }
    // It has an address for outbound connections.
    await stoppedInstance(admin, { project }, 'box')
    expect(
      await admin.refusal('internet_gateway_ip_pool_delete', { params, query: inGateway }),
    ).toEqual(
      invalid(
        'VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option',
      ),
    )
    await admin.call('internet_gateway_ip_pool_delete', {
      params,
      query: { ...inGateway, cascade: true },
    })
    expect(await pools('default')).toEqual([])
    // The routes stay, for later attachments.
    expect(await routeNames(vpc.system_router_id)).toContain('default-v4')
  })

  test('can be detached when no route leads to its gateway, or no instance sends from it', async () => {
    const { project, query, create, attachPool, pools } = await newNetwork()
    await create('aside')
    await attachPool('aside', 'default-v4', 'default')
    await attachPool('default', 'unused', 'linked')
    await stoppedInstance(admin, { project }, 'box')
    await admin.call('internet_gateway_ip_pool_delete', {
      params: { pool: 'default-v4' },
      query: { ...query, gateway: 'aside' },
    })
    await admin.call('internet_gateway_ip_pool_delete', {
      params: { pool: 'unused' },
      query: { ...query, gateway: 'default' },
    })
    expect(await pools('aside')).toEqual([])
    expect(await pools('default')).toMatchObject([{ name: 'default-v4' }])
  })
})

describe('an address of a gateway', () => {
  test('stays while an instance sends from it, unless cascade is set', async () => {
    const { project, query, attachAddress, addresses } = await newNetwork()
    const box = await stoppedInstance(admin, { project }, 'box')
    const ips = await admin.call('instance_external_ip_list', { params: { instance: box.id } })
    await attachAddress('default', 'used', ips.items[0]!.ip)
    await attachAddress('default', 'unused', 'FD00::0:1')
    expect(await addresses('default')).toMatchObject([
      { name: 'unused', address: 'fd00::1' },
      { name: 'used' },
    ])
    const inGateway = { ...query, gateway: 'default' }
    const named = (address: string) => ({ params: { address }, query: inGateway })
    await admin.call('internet_gateway_ip_address_delete', named('unused'))
    expect(await admin.refusal('internet_gateway_ip_address_delete', named('used'))).toEqual(
      invalid(
        'VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option',
      ),
    )
    await admin.call('internet_gateway_ip_address_delete', {
      params: { address: 'used' },
      query: { ...inGateway, cascade: true },
    })
    expect(await addresses('default')).toEqual([])
  })
})

test('a pool that becomes a default is attached to the default gateways of the silo', async () => {
  const { db, siloId } = server
  const [first, second] = [await newNetwork(), await newNetwork()]
  await admin.call('internet_gateway_delete', {
    params: { gateway: 'default' },
    query: { ...second.query, cascade: true },
  })
  const id = await addPool(db, 'next', { first: '192.0.2.1', last: '192.0.2.9', siloId })
  const pool = { id, name: 'next', ip_version: 'v4' as const }
  const attach = () => attachDefaultPool(writingIn(db, new Date()), siloId, pool)
  await attach()
  const names = (pools: Wire.InternetGatewayIpPool[]) => pools.map(({ name }) => name)
  // The usual name belongs to the previous default.
  expect(names(await first.pools('default'))).toEqual(['default-v4', 'next'])
  expect((await admin.call('internet_gateway_list', { query: second.query })).items).toEqual([])
  await attach()
  expect(names(await first.pools('default'))).toEqual(['default-v4', 'next'])
  // Where the usual name is free, it is used.
  await admin.call('internet_gateway_ip_pool_delete', {
    params: { pool: 'default-v4' },
    query: { ...first.query, gateway: 'default' },
  })
  await admin.call('internet_gateway_ip_pool_delete', {
    params: { pool: 'next' },
    query: { ...first.query, gateway: 'default' },
  })
  await attach()
  expect(names(await first.pools('default'))).toEqual(['default-v4'])
})
