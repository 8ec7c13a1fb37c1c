/** Control plane specification 8.9: external subnets. */
import type { Wire } from '@steading/api'
import { parseNetwork } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { named as withKey } from '../../../src/kernel/search/name-key.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addSubnetPool } from '../../support/networks.ts'
import { keepNothing, stoppedInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let poolId: string
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await keepNothing(admin)
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
  const { db, siloId } = server
  poolId = await addSubnetPool(
    db,
    'few',
    [
      ['203.0.113.0/28', 29, 30],
      ['198.51.100.0/28', 29, 32],
    ],
    { siloId, isDefault: true },
  )
  await addSubnetPool(db, 'six', ['2001:db8::/48'], { siloId })
  await addSubnetPool(db, 'unlinked', ['192.0.2.0/24'])
})
afterAll(() => server.close())

let count = 0
const fresh = () => `thing-${count++}`
type Allocator = Wire.ExternalSubnetAllocator
const exactly = (subnet: string): Allocator => ({ type: 'explicit', subnet })
const inPool = (pool: string) => ({ type: 'explicit' as const, pool })
const from = (pool: string, prefix_length: number): Allocator => ({
  type: 'auto',
  prefix_length,
  pool_selector: inPool(pool),
})
const next = (prefix_length: number, ip_version: Wire.IpVersion | null = null): Allocator => ({
  type: 'auto',
  prefix_length,
  pool_selector: { type: 'auto', ip_version },
})
const body = (name: string, allocator: Allocator) => ({ name, description: '', allocator })
const create = (allocator: Allocator, name = fresh()) =>
  admin.call('external_subnet_create', { query, body: body(name, allocator) })
const refusedCreate = (allocator: Allocator, name = fresh()) =>
  admin.refusal('external_subnet_create', { query, body: body(name, allocator) })
const named = (external_subnet: string) => ({ params: { external_subnet } })
const view = (id: string) => admin.call('external_subnet_view', named(id))
const remove = (id: string) => admin.call('external_subnet_delete', named(id))
const to = (id: string, instance: string) => ({ ...named(id), body: { instance } })
const attach = (id: string, instance: string) =>
  admin.call('external_subnet_attach', to(id, instance))
const refusedAttach = (id: string, instance: string) =>
  admin.refusal('external_subnet_attach', to(id, instance))
const detach = (id: string) => admin.call('external_subnet_detach', named(id))
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const stopped = (values: object = {}, project = 'work') =>
  stoppedInstance(admin, { project }, fresh(), values)
/** With an interface of one version. */
const onlyV4 = { network_interfaces: { type: 'default_ipv4' } }

const subnetsOf = (made: Wire.ExternalSubnet[]) => made.map(({ subnet }) => subnet)

describe('a new external subnet', () => {
  test('is the lowest free one of its length, or the requested one', async () => {
    const given = await create(exactly('198.51.100.8/30'))
    expect(given).toMatchObject({
      subnet: '198.51.100.8/30',
      subnet_pool_id: poolId,
      instance_id: null,
    })
    expect(await view(given.id)).toEqual(given)
    const taken = [given]
    for (const allocator of [next(30), from('few', 29), from(poolId, 30), next(30, 'v4')]) {
      taken.push(await create(allocator))
    }
    expect(subnetsOf(taken.slice(1))).toEqual([
      '198.51.100.0/30',
      // The first block of eight addresses, in the other member.
      '203.0.113.0/29',
      '198.51.100.4/30',
      '198.51.100.12/30',
    ])
    expect(await refusedCreate(next(32))).toEqual(
      invalid('Could not allocate a /32 subnet from the default subnet pool for the current silo'),
    )
    await remove(taken[1]!.id)
    expect(subnetsOf([await create(next(32)), await create(next(31))])).toEqual([
      '198.51.100.0/32',
      '198.51.100.2/31',
    ])
  })

  test('is refused with the name of the full pool', async () => {
    const { db, siloId } = server
    const id = await addSubnetPool(db, 'tiny', ['192.168.1.0/30'], { siloId })
    await create(from('tiny', 31))
    const no = (allocator: Allocator) => refusedCreate(allocator).then(({ message }) => message)
    expect(await no(from('tiny', 30))).toBe(
      "Could not allocate a /30 subnet from the subnet pool with name 'tiny'",
    )
    expect(await no(from(id, 33))).toBe(
      `Could not allocate a /33 subnet from the subnet pool with ID '${id}'`,
    )
    expect(await no(next(8, 'v4'))).toBe(
      'Could not allocate a /8 subnet from the default IPv4 subnet pool for the current silo',
    )
    expect(await no(from('six', 255))).toMatch(/^Could not allocate a \/255 subnet/)
  })

  test.each([
    ['192.0.2.0/28', 'of a pool of another silo'],
    ['10.0.0.0/28', 'of no pool'],
    ['203.0.112.0/20', 'around a member'],
    ['::cb00:7100/124', 'of the other version'],
  ])('%s, %s, is refused', async (subnet) => {
    expect(await refusedCreate(exactly(subnet))).toEqual(
      invalid(
        'The requested IP subnet is not contained in any subnet pool available in the current silo.',
      ),
    )
  })

  test('has a length permitted by its pool', async () => {
    expect(await refusedCreate(exactly('203.0.113.8/31'))).toEqual(
      invalid(
        'The subnet pool only allocates subnets from /29 to /30 of the address range that contains the requested IP subnet',
      ),
    )
    expect(await refusedCreate(from('few', 28))).toMatchObject({ status: 400 })
  })

  test('does not overlap with another, and has no host bits', async () => {
    await create(exactly('2001:DB8:0:ff00::/56'))
    const overlaps = invalid('The requested IP subnet overlaps with an existing external subnet')
    for (const subnet of ['2001:db8:0:ff00::/56', '2001:db8:0:ff10::/60', '2001:db8:0:f000::/52']) {
      expect(await refusedCreate(exactly(subnet))).toEqual(overlaps)
    }
    expect(await create(exactly('2001:db8:0:fe00::/56'))).toMatchObject({
      subnet: '2001:db8:0:fe00::/56',
    })
    expect(await refusedCreate(exactly('2001:db8:0:ff00::1/56'))).toEqual(
      invalid('IP subnet must be a network address, with a host ID of zero.'),
    )
  })

  test('is not found in a pool that is not linked to the silo', async () => {
    expect(await refusedCreate(from('unlinked', 28))).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: subnet-pool with name "unlinked"',
    })
  })

  test('asks for a choice if there is no default, or more than one', async () => {
    const silo = await server.createSilo(fresh())
    const { caller } = await server.createUser(fresh(), { silo: 'collaborator' }, silo)
    await caller.call('project_create', { body: { name: 'work', description: '' } })
    const asked = (allocator: Allocator) =>
      caller.refusal('external_subnet_create', { query, body: body(fresh(), allocator) })
    const linked = { siloId: silo, isDefault: true }
    const none = invalid(
      'Must specify a subnet pool, as there is no linked default pool for the current silo',
    )
    expect(await asked(next(28))).toEqual(none)
    await addSubnetPool(server.db, fresh(), ['172.16.0.0/24'], linked)
    expect(await asked(next(64, 'v6'))).toEqual(none)
    await addSubnetPool(server.db, fresh(), ['2001:db8:1::/48'], linked)
    expect(await asked(next(28))).toEqual(
      invalid(
        'Must specify an IP version when there is more than one default subnet pool for the silo',
      ),
    )
    const made = await caller.call('external_subnet_create', {
      query,
      body: body(fresh(), next(64, 'v6')),
    })
    expect(made.subnet).toBe('2001:db8:1::/64')
  })

  test('has a unique name in its project', async () => {
    const { id, name } = await create(from('six', 64))
    const refusal = {
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: external-subnet "${name}"`,
    }
    expect(await refusedCreate(from('six', 64), name)).toEqual(refusal)
    const other = await create(from('six', 64))
    const rename = { ...named(other.id), body: { name } }
    expect(await admin.refusal('external_subnet_update', rename)).toEqual(refusal)
    await remove(id)
    const renamed = await admin.call('external_subnet_update', rename)
    expect(renamed).toEqual({ ...other, name, time_modified: renamed.time_modified })
  })

  test('accepts the old name of the length from older clients', async () => {
    const allocator = { type: 'auto', prefix_len: 64, pool_selector: inPool('six') }
    const made = await admin.call('external_subnet_create', {
      query,
      body: { name: fresh(), description: '', allocator } as never,
    })
    expect(parseNetwork(made.subnet)?.width).toBe(64)
  })
})

describe('attach and detach', () => {
  test('go there and back', async () => {
    const instance = await stopped()
    const made = await create(from('six', 64))
    expect(await attach(made.id, instance.id)).toMatchObject({ instance_id: instance.id })
    expect(await attach(made.id, instance.name)).toMatchObject({ instance_id: instance.id })
    const list = await admin.call('instance_external_subnet_list', {
      params: { instance: instance.id },
    })
    expect(list).toEqual({ items: [await view(made.id)], next_page: null })
    expect(await admin.refusal('external_subnet_delete', named(made.id))).toEqual(
      invalid(
        'Cannot delete external subnet while it is attached to an instance. Detach it and try again.',
      ),
    )
    expect(await detach(made.id)).toMatchObject({ instance_id: null })
    expect(await admin.refusal('external_subnet_detach', named(made.id))).toEqual(
      invalid('External subnet is not attached to an instance'),
    )
    await remove(made.id)
    expect(await admin.refusal('external_subnet_view', named(made.id))).toMatchObject({
      status: 404,
      message: `not found: external-subnet with id "${made.id}"`,
    })
  })

  test('are refused across projects, and for an instance without the version', async () => {
    const [one, two, away] = [
      await stopped(),
      await stopped(onlyV4),
      await stopped({}, 'elsewhere'),
    ]
    const { id } = await create(from('six', 64))
    expect(await refusedAttach(id, two.id)).toEqual(
      invalid(
        'Cannot attach an IPv6 external subnet to an instance that does not have a matching IP stack',
      ),
    )
    expect(await refusedAttach(id, away.id)).toEqual(
      invalid('External subnet and instance must be in the same project'),
    )
    expect(await refusedAttach(id, away.name)).toMatchObject({
      message: `not found: instance with name "${away.name}"`,
    })
    await attach(id, one.id)
    expect(await refusedAttach(id, two.id)).toEqual(
      invalid(
        'External subnets cannot be attached to one instance while still attached to another',
      ),
    )
  })

  test.each([
    ['creating', 'cannot modify instance IP or subnets, instance is still being created'],
    ['failed', 'cannot modify instance IPs or subnets, instance is in unhealthy state'],
    ['repairing', 'cannot attach external subnet to instance in repairing state'],
  ] as const)('wait for the instance while it is %s', async (run_state, message) => {
    const { id } = await stopped()
    const subnet = await create(from('six', 64))
    const inState = (state: Wire.InstanceState) =>
      server.db
        .updateTable('instance')
        .set({ run_state: state, reconcile_at: null })
        .where('id', '=', id)
        .execute()
    await inState(run_state)
    expect(await refusedAttach(subnet.id, id)).toEqual(invalid(message))
    await inState('starting')
    expect(await refusedAttach(subnet.id, id)).toMatchObject({ status: 503 })
    await inState('stopped')
    await attach(subnet.id, id)
    await inState(run_state)
    expect(await admin.refusal('external_subnet_detach', named(subnet.id))).toEqual(
      invalid(message.replace('attach', 'detach').replace(' to ', ' from ')),
    )
  })

  test('are limited to 32 per instance, whose deletion leaves the subnets', async () => {
    const instance = await stopped()
    const first = await create(from('six', 64))
    await attach(first.id, instance.id)
    const row = await server.db
      .selectFrom('external_subnet')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 31 }, () => ({
      ...row,
      id: crypto.randomUUID(),
      ...withKey(fresh()),
    }))
    await server.db.insertInto('external_subnet').values(others).execute()
    const made = [first, ...others].map(({ id }) => id)
    const more = await create(from('six', 64))
    expect(await refusedAttach(more.id, instance.id)).toEqual(
      invalid('An instance may not have more than 32 attached subnets'),
    )
    await admin.call('instance_delete', { params: { instance: instance.id } })
    for (const id of made) expect(await view(id)).toMatchObject({ instance_id: null })
  })

  test('emit events, like every other change of a subnet', async () => {
    const instance = await stopped()
    const { id } = await create(from('six', 64))
    await attach(id, instance.id)
    await attach(id, instance.id)
    await detach(id)
    await admin.call('external_subnet_update', { ...named(id), body: { description: 'x' } })
    await remove(id)
    const events = await server.db
      .selectFrom('event')
      .select(['resource', 'action', 'resource_id'])
      // Instances of the other tests may still change, and the server notices issues by itself.
      .where('resource_id', 'in', [id, instance.id])
      .orderBy('id')
      .execute()
    const about = events.slice(events.findIndex(({ resource_id }) => resource_id === id))
    expect(about.map(({ resource, action }) => `${resource} ${action}`)).toEqual([
      'external-subnets create',
      'external-subnets update',
      'instances update',
      'external-subnets update',
      'instances update',
      'external-subnets update',
      'external-subnets delete',
    ])
  })
})

test('a project is not deleted while it has external subnets', async () => {
  const project = await admin.call('project_create', { body: { name: fresh(), description: '' } })
  const made = await admin.call('external_subnet_create', {
    query: { project: project.id },
    body: body('left', from('six', 64)),
  })
  const vpc = { query: { project: project.id, vpc: 'default' } }
  await admin.call('vpc_subnet_delete', { params: { subnet: 'default' }, ...vpc })
  await admin.call('vpc_delete', { params: { vpc: 'default' }, query: { project: project.id } })
  const params = { project: project.id }
  expect(await admin.refusal('project_delete', { params })).toEqual(
    invalid('project to be deleted contains an external subnet: left'),
  )
  await remove(made.id)
  await admin.call('project_delete', { params })
})

test('the search finds a subnet by its network and its address', async () => {
  const { id, subnet } = await create(exactly('2001:db8:0:abcd::/64'))
  const found = async (search: string) =>
    (await admin.call('external_subnet_search', { query: { ...query, search } })).items
  for (const text of [subnet, '2001:db8:0:abcd::', '2001:db8:0:ab']) {
    expect((await found(text)).map((one) => one.id)).toEqual([id])
  }
  const { items } = await admin.call('find', { query: { text: '2001:db8:0:abcd::' } })
  // Before the pool that also contains the address.
  expect(items[0]).toMatchObject({ kind: 'external_subnet', id, address: '2001:db8:0:abcd::' })
})

test('concurrent creates get disjoint subnets, as many as fit', async () => {
  const { db, siloId } = server
  await addSubnetPool(db, 'rush', ['192.168.200.0/26'], { siloId })
  const lengths = [...Array(6).fill(29), ...Array(6).fill(30), ...Array(2).fill(28)] as number[]
  const made = await Promise.allSettled(lengths.map((length) => create(from('rush', length))))
  const subnets = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const free = new Set(Array.from({ length: 64 }, (_, i) => i))
  for (const { subnet } of subnets) {
    const { value, width } = parseNetwork(subnet)!
    const first = Number(value & 63n)
    for (let i = first; i < first + 2 ** (32 - width); i++) expect(free.delete(i)).toBe(true)
  }
  // The remaining space is too small for any refused subnet.
  const largest = Math.max(
    0,
    ...[4, 8, 16].filter((size) =>
      Array.from({ length: 64 / size }, (_, i) => i * size).some((first) =>
        Array.from({ length: size }, (_, i) => first + i).every((one) => free.has(one)),
      ),
    ),
  )
  const refused = lengths.filter((_, i) => made[i]!.status === 'rejected')
  for (const length of refused) expect(2 ** (32 - length)).toBeGreaterThan(largest)
  await Promise.all(subnets.map(({ id }) => remove(id)))
  const rows = await db
    .selectFrom('free_block')
    .innerJoin('subnet_pool_member as member', 'member.id', 'free_block.space_id')
    .select('free_block.prefix_length')
    .where('member.subnet', '=', '192.168.200.0/26')
    .execute()
  expect(rows).toEqual([{ prefix_length: 26 }])
})
