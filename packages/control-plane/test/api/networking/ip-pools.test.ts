/** Control plane specification 8.8: the IP pools of operators. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { siloBody, stoppedInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `thing-${count++}`
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

type Values = Partial<Wire.IpPoolCreate>
const create = (values: Values = {}) =>
  admin.call('system_ip_pool_create', { body: { name: fresh(), description: '', ...values } })
const at = (pool: string) => ({ params: { pool } })
const range = (first: string, last = first) => ({ first, last })
const add = (pool: string, body: Wire.IpRange) =>
  admin.call('system_ip_pool_range_add', { ...at(pool), body })
const refusedAdd = (pool: string, body: object) =>
  admin.refusal('system_ip_pool_range_add', { ...at(pool), body })
const remove = (pool: string, body: Wire.IpRange) =>
  admin.call('system_ip_pool_range_remove', { ...at(pool), body })
const link = (pool: string, silo: string, is_default = false) =>
  admin.call('system_ip_pool_silo_link', { ...at(pool), body: { silo, is_default } })
const refusedLink = (pool: string, silo: string, is_default = false) =>
  admin.refusal('system_ip_pool_silo_link', { ...at(pool), body: { silo, is_default } })
const linkOf = (pool: string, silo: string) => ({ params: { pool, silo } })
const use = (pool: string) => admin.call('system_ip_pool_utilization_view', at(pool))
const float = (pool: string, name = fresh()) =>
  admin.call('floating_ip_create', {
    query,
    body: {
      name,
      description: '',
      address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool } },
    },
  })
const freshSilo = async () =>
  (await admin.call('silo_create', { body: siloBody(fresh()) })) as Wire.Silo

/** A network that no other test uses. */
let block = 0
const network = () => {
  block++
  return (host: number) => `203.${block >> 8}.${block & 255}.${host}`
}

describe('a pool', () => {
  test('can be created, viewed, changed and deleted', async () => {
    const name = fresh()
    const pool = await create({ name, description: 'Edge' })
    expect(pool).toMatchObject({
      name,
      description: 'Edge',
      ip_version: 'v4',
      pool_type: 'unicast',
      assignment: 'silos',
    })
    expect(await admin.call('system_ip_pool_view', at(name))).toEqual(pool)
    expect(await admin.call('system_ip_pool_view', at(pool.id))).toEqual(pool)
    expect(
      await admin.refusal('system_ip_pool_create', { body: { name, description: '' } }),
    ).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: ip-pool "${name}"`,
    })
    const renamed = fresh()
    const updated = await admin.call('system_ip_pool_update', {
      ...at(name),
      body: { name: renamed },
    })
    expect(updated).toMatchObject({ id: pool.id, name: renamed, description: 'Edge' })
    // Its own name does not count as taken.
    await admin.call('system_ip_pool_update', { ...at(renamed), body: { name: renamed } })
    await admin.call('system_ip_pool_delete', at(renamed))
    expect(await admin.refusal('system_ip_pool_view', at(pool.id))).toMatchObject({
      status: 404,
      message: `not found: ip-pool with id "${pool.id}"`,
    })
    await create({ name: renamed })
  })

  test('is listed by its attributes', async () => {
    const six = await create({ ip_version: 'v6' })
    const many = await create({ pool_type: 'multicast' })
    const services = await create({ assignment: 'system_services' })
    const ids = async (filters: object) => {
      const { items } = await admin.call('system_ip_pool_list', { query: filters })
      return new Set(items.map(({ id }) => id))
    }
    expect(await ids({ ip_version: 'v6' })).toContain(six.id)
    expect(await ids({ ip_version: 'v4' })).not.toContain(six.id)
    expect(await ids({ pool_type: 'multicast' })).toContain(many.id)
    expect(await ids({ assignment: 'silos' })).not.toContain(services.id)
    expect(await ids({ assignment: 'system_services' })).toContain(services.id)
  })

  test('is searched, and shows its remaining addresses', async () => {
    const host = network()
    const { name } = await create({ description: 'Beside the Bodensee' })
    await add(name, range(host(1), host(4)))
    const found = await admin.call('system_ip_pool_search', {
      query: { search: 'bodensee', version: 'v4,v6', count_by: 'version' },
    })
    expect(found).toMatchObject({
      total: 1,
      items: [{ name, utilization: { capacity: 4, remaining: 4 } }],
      counts: [{ word: 'v4', count: 1 }],
    })
    const { items } = await admin.call('find', { query: { text: name } })
    expect(items).toMatchObject([{ kind: 'system_ip_pool', name }])
    const viewer = await server.createUser(fresh(), { silo: 'admin' })
    expect(await viewer.caller.call('find', { query: { text: name } })).toEqual({ items: [] })
  })

  test('cannot be deleted while it has ranges', async () => {
    const host = network()
    const { name } = await create()
    await add(name, range(host(1), host(9)))
    expect(await admin.refusal('system_ip_pool_delete', at(name))).toEqual(
      invalid('IP Pool cannot be deleted while it contains IP ranges'),
    )
  })

  test('is deleted with its links', async () => {
    const silo = await freshSilo()
    const { id } = await create()
    await link(id, silo.name, true)
    await admin.call('system_ip_pool_delete', at(id))
    const { items } = await admin.call('silo_ip_pool_list', { params: { silo: silo.name } })
    expect(items.map((pool) => pool.id)).not.toContain(id)
  })
})

describe('a pool of system services', () => {
  const assign = (pool: string, assignment: Wire.IpPoolAssignment) =>
    admin.call('system_ip_pool_assign', { ...at(pool), body: { assignment } })
  const refusedAssign = (pool: string, assignment: Wire.IpPoolAssignment) =>
    admin.refusal('system_ip_pool_assign', { ...at(pool), body: { assignment } })

  test('is never linked to a silo', async () => {
    const { name } = await create()
    const silo = await freshSilo()
    await link(name, silo.name)
    const both = 'IP Pools cannot be both linked to Silos and assigned for system services use.'
    expect(await refusedAssign(name, 'system_services')).toEqual(invalid(both))
    expect(await refusedAssign(name, 'silos')).toEqual(
      invalid("IP Pool already has assignment 'silos'"),
    )
    await admin.call('system_ip_pool_silo_unlink', linkOf(name, silo.name))
    expect(await assign(name, 'system_services')).toMatchObject({ assignment: 'system_services' })
    expect(await refusedLink(name, silo.name)).toEqual(invalid(both))
    expect(await assign(name, 'silos')).toMatchObject({ assignment: 'silos' })
  })

  test('always remains at least once', async () => {
    const { items } = await admin.call('system_ip_pool_list', {
      query: { assignment: 'system_services' },
    })
    for (const { id } of items.slice(1)) await admin.call('system_ip_pool_delete', at(id))
    const last = items[0]!.id
    const more = 'Create and assign at least one more IP Pool before'
    expect(await admin.refusal('system_ip_pool_delete', at(last))).toEqual(
      invalid(
        `Cannot delete the last IP Pool assigned for system services use. ${more} deleting this one.`,
      ),
    )
    expect(await refusedAssign(last, 'silos')).toEqual(
      invalid(
        `Cannot reassign the last IP Pool assigned for system services use. ${more} reassigning this one.`,
      ),
    )
  })

  test('is also found by its old paths', async () => {
    const host = network()
    const pool = await admin.call('ip_pool_service_view')
    expect(pool).toMatchObject({ assignment: 'system_services' })
    const body = range(host(1), host(2))
    const added = await admin.call('ip_pool_service_range_add', { body })
    expect(added).toMatchObject({ ip_pool_id: pool.id, range: body })
    expect(await admin.call('ip_pool_service_range_list')).toMatchObject({ items: [added] })
    await admin.call('ip_pool_service_range_remove', { body })
    expect((await admin.call('ip_pool_service_range_list')).items).toEqual([])
  })
})

describe('a range', () => {
  test('is listed by its first address, page by page', async () => {
    const host = network()
    const { id } = await create()
    for (const first of [100, 2, 30]) await add(id, range(host(first), host(first + 1)))
    const first = await admin.call('system_ip_pool_range_list', {
      ...at(id),
      query: { limit: 2 },
    })
    expect(first.items.map((one) => one.range)).toEqual([
      range(host(2), host(3)),
      range(host(30), host(31)),
    ])
    const second = await admin.call('system_ip_pool_range_list', {
      ...at(id),
      query: { page_token: first.next_page! },
    })
    expect(second.items.map((one) => one.range.first)).toEqual([host(100)])
  })

  test('does not overlap with another range of any pool', async () => {
    const host = network()
    const [one, other] = [await create(), await create()]
    await add(one.id, range(host(10), host(19)))
    const refused = (from: number, to: number) =>
      invalid(
        `The provided IP range ${host(from)}-${host(to)} overlaps with an existing IP pool range or subnet pool member`,
      )
    for (const [from, to] of [
      [19, 25],
      [1, 10],
      [12, 13],
      [1, 99],
      [10, 19],
    ] as const) {
      for (const { id } of [one, other]) {
        expect(await refusedAdd(id, range(host(from), host(to)))).toEqual(refused(from, to))
      }
    }
    await add(other.id, range(host(20), host(25)))
    await add(one.id, range(host(9)))
  })

  test('is removed by its exact bounds, unless an address of it is in use', async () => {
    const host = network()
    const { name } = await create()
    await link(name, 'main')
    await add(name, range(host(1), host(4)))
    await add(name, range(host(8), host(9)))
    expect(
      await admin.refusal('system_ip_pool_range_remove', {
        ...at(name),
        body: range(host(1), host(3)),
      }),
    ).toEqual(invalid(`The provided range ${host(1)}-${host(3)} does not exist`))
    const ip = await float(name)
    expect(
      await admin.refusal('system_ip_pool_range_remove', {
        ...at(name),
        body: range(host(1), host(4)),
      }),
    ).toEqual(
      invalid(
        'IP pool ranges cannot be deleted while external IP addresses are allocated from them',
      ),
    )
    // The other range can be removed and added again, while addresses of the first are in use.
    await remove(name, range(host(8), host(9)))
    expect(await use(name)).toMatchObject({ capacity: 4, remaining: 3 })
    await admin.call('floating_ip_delete', { params: { floating_ip: ip.id } })
    await remove(name, range(host(1), host(4)))
    await add(name, range(host(8), host(9)))
    expect((await float(name)).ip).toBe(host(8))
    expect((await float(name)).ip).toBe(host(9))
    expect(
      await admin.refusal('floating_ip_create', {
        query,
        body: {
          name: fresh(),
          description: '',
          address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool: name } },
        },
      }),
    ).toEqual({
      status: 507,
      error_code: 'InsufficientCapacity',
      message: `Insufficient capacity: No external IP addresses available: 0 of 2 are left in the pool "${name}"`,
    })
  })

  test('has a canonical spelling', async () => {
    const { id } = await create({ ip_version: 'v6' })
    const added = await add(id, range('2001:DB8:7:0::1', '2001:db8:7::00ff'))
    expect(added.range).toEqual(range('2001:db8:7::1', '2001:db8:7::ff'))
    await remove(id, range('2001:db8:7::0:1', '2001:db8:7:0:0::ff'))
  })

  test.each([
    [{}, 'missing field `first`'],
    [range('10.0.0.1', 'fd00::1'), 'first and last must have the same IP version'],
    [range('10.0.0.2', '10.0.0.1'), 'first must not come after last'],
    [range('10.0.0', '10.0.0.1'), 'first: invalid IP address syntax'],
    [[], 'invalid type: sequence, expected a map'],
    [{ first: 1, last: 2 }, 'first: invalid type: integer `1`, expected a string'],
  ])('refuses %j', async (body, problem) => {
    const { id } = await create()
    expect(await refusedAdd(id, body)).toMatchObject({
      status: 400,
      message: expect.stringContaining(problem) as string,
    })
  })

  test('has the version of its pool', async () => {
    const [four, six] = [await create(), await create({ ip_version: 'v6' })]
    expect(await refusedAdd(four.id, range('fd00::1'))).toEqual(
      invalid(`Cannot add IPv6 address range to IPv4 pool with ID "${four.id}"`),
    )
    expect(await refusedAdd(six.id, range('10.9.9.9'))).toEqual(
      invalid(`Cannot add IPv4 address range to IPv6 pool with ID "${six.id}"`),
    )
  })

  describe('for multicast', () => {
    const span = 'IP range cannot span multicast and unicast address spaces'
    test.each<[Values, string, string, string]>([
      [{}, '239.0.0.1', '239.0.0.9', 'Cannot add multicast address range to unicast IP pool'],
      [
        { pool_type: 'multicast' },
        '198.51.100.1',
        '198.51.100.9',
        'Cannot add unicast address range to multicast IP pool',
      ],
      [{ pool_type: 'multicast' }, '223.255.255.255', '224.0.1.1', span],
      [{}, '1.0.0.0', '255.255.255.255', span],
      [
        { pool_type: 'multicast' },
        '231.255.255.255',
        '232.0.0.1',
        'IP range cannot span ASM and SSM address spaces',
      ],
      [
        { pool_type: 'multicast', ip_version: 'v6' },
        'ff34::ffff:ffff',
        'ff34:1::1',
        'IP range cannot span ASM and SSM address spaces',
      ],
      [
        { pool_type: 'multicast' },
        '224.0.0.255',
        '224.0.1.9',
        'Cannot add IPv4 link-local multicast range (224.0.0.0/24) to IP pool',
      ],
      [
        { pool_type: 'multicast', ip_version: 'v6' },
        'ff02::1:1',
        'ff02::1:9',
        'Cannot add IPv6 link-local multicast range (ff02::/16) to IP pool',
      ],
      [
        { pool_type: 'multicast', ip_version: 'v6' },
        'ff04::1',
        'ff04::2',
        'Cannot add IPv6 underlay multicast range (ff04::/64) to IP pool',
      ],
    ])('in %j: %s-%s', async (values, first, last, message) => {
      const { id } = await create(values)
      expect(await refusedAdd(id, range(first, last))).toEqual(invalid(message))
    })

    test('has one mode per pool', async () => {
      const pool_type = 'multicast'
      const [any, specific] = [await create({ pool_type }), await create({ pool_type })]
      await add(any.id, range('239.1.0.1', '239.1.0.9'))
      await add(specific.id, range('232.1.0.1', '232.1.0.9'))
      expect(await refusedAdd(any.id, range('232.2.0.1', '232.2.0.9'))).toEqual(
        invalid('Cannot mix SSM and ASM ranges in the same multicast pool'),
      )
      expect(await refusedAdd(specific.id, range('239.2.0.1'))).toEqual(
        invalid('Cannot mix ASM and SSM ranges in the same multicast pool'),
      )
    })
  })
})

describe('a link', () => {
  const change = (pool: string, silo: string, is_default: boolean) =>
    admin.call('system_ip_pool_silo_update', { ...linkOf(pool, silo), body: { is_default } })
  const defaults = async (silo: string) =>
    (await admin.call('silo_ip_pool_list', { params: { silo } })).items
      .filter(({ is_default }) => is_default)
      .map(({ id }) => id)
      .toSorted()

  test('lets a silo use addresses of a pool', async () => {
    const silo = await freshSilo()
    const user = await server.createUser(fresh(), { silo: 'viewer' }, silo.id)
    const pool = await create()
    expect(await user.caller.refusal('ip_pool_view', at(pool.id))).toMatchObject({ status: 404 })
    expect(await link(pool.name, silo.name)).toEqual({
      ip_pool_id: pool.id,
      silo_id: silo.id,
      is_default: false,
    })
    const { assignment: _, ...seen } = pool
    expect(await user.caller.call('ip_pool_view', at(pool.name))).toEqual({
      ...seen,
      is_default: false,
    })
    expect(await admin.call('system_ip_pool_silo_list', at(pool.id))).toMatchObject({
      items: [{ silo_id: silo.id, is_default: false }],
    })
    // A silo that is not discoverable is in no list; its link still works.
    const hidden = await admin.call('silo_create', {
      body: { ...siloBody(fresh()), discoverable: false },
    })
    await link(pool.name, hidden.name)
    expect((await admin.call('system_ip_pool_silo_list', at(pool.id))).items).toHaveLength(1)
    await admin.call('system_ip_pool_silo_unlink', linkOf(pool.id, hidden.id))
    await admin.call('system_ip_pool_silo_unlink', linkOf(pool.id, silo.id))
    expect(await user.caller.refusal('ip_pool_view', at(pool.id))).toMatchObject({ status: 404 })
  })

  test('is created once, with one default per version and type', async () => {
    const silo = await freshSilo()
    const [one, other] = [await create(), await create()]
    const taken = (pool: Wire.IpPool) => ({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: ip-pool-resource "ip_pool_id: ${pool.id}, resource_id: ${silo.id}, resource_type: Silo"`,
    })
    await link(one.id, silo.id, true)
    expect(await refusedLink(one.id, silo.id)).toEqual(taken(one))
    expect(await refusedLink(other.id, silo.id, true)).toEqual(taken(other))
    const six = await create({ ip_version: 'v6' })
    const many = await create({ pool_type: 'multicast' })
    await link(six.id, silo.id, true)
    await link(many.id, silo.id, true)
    expect(await defaults(silo.id)).toEqual([one.id, six.id, many.id].toSorted())
    // Promoting a pool demotes the previous default, which stays linked.
    await link(other.id, silo.id)
    expect(await change(other.id, silo.id, true)).toMatchObject({ is_default: true })
    expect(await defaults(silo.id)).toEqual([other.id, six.id, many.id].toSorted())
    expect(await change(other.id, silo.id, false)).toMatchObject({ is_default: false })
    expect(await defaults(silo.id)).toEqual([six.id, many.id].toSorted())
  })

  test('must exist to be changed or removed', async () => {
    const silo = await freshSilo()
    const { id } = await create()
    const missing = {
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: ip-pool-resource with id "ip_pool_id: ${id}, silo_id: ${silo.id}"`,
    }
    expect(
      await admin.refusal('system_ip_pool_silo_update', {
        ...linkOf(id, silo.id),
        body: { is_default: true },
      }),
    ).toEqual(missing)
    expect(await admin.refusal('system_ip_pool_silo_unlink', linkOf(id, silo.id))).toEqual(missing)
  })

  test('stays while the silo has an address of the pool', async () => {
    const host = network()
    const { name } = await create()
    await add(name, range(host(1), host(9)))
    await link(name, 'main')
    const elsewhere = await freshSilo()
    await link(name, elsewhere.id)
    const ip = await float(name)
    await admin.call('system_ip_pool_silo_unlink', linkOf(name, elsewhere.id))
    expect(await admin.refusal('system_ip_pool_silo_unlink', linkOf(name, 'main'))).toEqual(
      invalid('IP addresses from this pool are in use in the linked silo'),
    )
    await admin.call('floating_ip_delete', { params: { floating_ip: ip.id } })
    await admin.call('system_ip_pool_silo_unlink', linkOf(name, 'main'))
  })

  test('as a default attaches the pool to the default gateway of every VPC', async () => {
    const silo = await freshSilo()
    const { caller } = await server.createUser(fresh(), { silo: 'admin' }, silo.id)
    await caller.call('project_create', { body: { name: 'net', description: '' } })
    const of = { query: { project: 'net', vpc: 'default', gateway: 'default' } }
    const attached = async () =>
      (await caller.call('internet_gateway_ip_pool_list', of)).items.map((one) => one.ip_pool_id)
    const [first, second] = [await create(), await create()]
    const many = await create({ pool_type: 'multicast' })
    await link(first.id, silo.id)
    await link(many.id, silo.id, true)
    expect(await attached()).toEqual([])
    await change(first.id, silo.id, true)
    expect(await attached()).toEqual([first.id])
    await link(second.id, silo.id)
    await change(second.id, silo.id, true)
    expect(new Set(await attached())).toEqual(new Set([first.id, second.id]))
  })

  test('is deleted with its silo', async () => {
    const silo = await freshSilo()
    const { id } = await create()
    await link(id, silo.id, true)
    await admin.call('silo_delete', { params: { silo: silo.id } })
    expect((await admin.call('system_ip_pool_silo_list', at(id))).items).toEqual([])
  })

  test('emits events for operators and for the users of the silo', async () => {
    const silo = await freshSilo()
    const pool = await create()
    await link(pool.id, silo.id)
    await change(pool.id, silo.id, true)
    await admin.call('system_ip_pool_silo_unlink', linkOf(pool.id, silo.id))
    const events = await server.db
      .selectFrom('event')
      .select(['action', 'silo_id'])
      .where('resource_id', '=', pool.id)
      .orderBy('id')
      .execute()
    const fleet = (action: string) => ({ action, silo_id: null })
    const own = (action: string) => ({ action, silo_id: silo.id })
    expect(events).toEqual([
      fleet('create'),
      fleet('update'),
      own('create'),
      fleet('update'),
      own('update'),
      fleet('update'),
      own('delete'),
    ])
  })
})

describe('utilization', () => {
  test('is exact in 128 bits, in both formats', async () => {
    const { id } = await create({ ip_version: 'v6' })
    await link(id, 'main')
    await add(id, range('2001:db9::', '2001:db9:7fff:ffff:ffff:ffff:ffff:fffe'))
    await add(id, range('2001:dba::1'))
    await float(id)
    const capacity = 2n ** 95n
    expect(await use(id)).toEqual({
      capacity: Number(capacity),
      remaining: Number(capacity - 1n),
      ipv4: { allocated: 0, capacity: 0 },
      ipv6: { allocated: '1', capacity: String(capacity) },
    })
  })

  test('counts an address once, however many instances share it', async () => {
    const before = await use('default')
    const instances = []
    for (let made = 0; made < 3; made++) {
      const network_interfaces = { type: 'default_ipv4' }
      instances.push(await stoppedInstance(admin, query, fresh(), { network_interfaces }))
    }
    const during = await use('default')
    expect(before.remaining - during.remaining).toBe(1)
    expect(during.ipv4.allocated - before.ipv4.allocated).toBe(1)
    for (const { id } of instances)
      await admin.call('instance_delete', { params: { instance: id } })
    expect(await use('default')).toEqual(before)
  })
})

describe('addresses in use', () => {
  const list = (pool: string, query: object = {}) =>
    admin.call('system_ip_pool_address_list', { ...at(pool), query })

  test("are listed with their holders, page by page, and found by the holder's name or a prefix", async () => {
    const host = network()
    const { name } = await create()
    await add(name, range(host(1), host(9)))
    await link(name, 'main')
    const [first, second] = [await float(name, 'gate'), await float(name, 'door')]
    const box = await stoppedInstance(admin, query, fresh(), {
      network_interfaces: { type: 'default_ipv4' },
    })
    await admin.call('floating_ip_attach', {
      params: { floating_ip: second.id },
      body: { kind: 'instance', parent: box.id },
    })
    const page = await list(name, { limit: 1 })
    expect(page.items).toEqual([
      {
        id: first.id,
        ip: host(1),
        kind: 'floating',
        name: 'gate',
        first_port: 0,
        last_port: 65_535,
        silo_name: 'main',
        project_name: 'work',
        instance_id: null,
        instance_name: null,
        time_created: first.time_created,
      },
    ])
    const next = await list(name, { page_token: page.next_page! })
    expect(next.items).toMatchObject([{ ip: host(2), name: 'door', instance_name: box.name }])
    const ips = async (search: string) => (await list(name, { search })).items.map(({ ip }) => ip)
    expect(await ips('doo')).toEqual([host(2)])
    expect(await ips(box.name)).toEqual([host(2)])
    expect(await ips(host(1))).toEqual([host(1)])
    expect(await ips('work')).toEqual([host(1), host(2)])
    expect(await ips('mai')).toEqual([host(1), host(2)])
    expect(await ips('%')).toEqual([])
  })

  test('for outbound translation are listed with their ports', async () => {
    const { id } = await stoppedInstance(admin, query, fresh(), {
      network_interfaces: { type: 'default_ipv4' },
    })
    const { items } = await list('default', { limit: 1000 })
    const own = items.filter(({ instance_id }) => instance_id === id)
    expect(own).toMatchObject([{ kind: 'snat', name: null, project_name: 'work' }])
    expect(own[0]!.last_port - own[0]!.first_port).toBe(16_383)
  })

  test('refuse a forged page marker', async () => {
    const start = { v: 'v1', page_start: { last_seen: 'nowhere' } }
    const page_token = btoa(JSON.stringify(start))
    expect(
      await admin.refusal('system_ip_pool_address_list', {
        ...at('default'),
        query: { page_token },
      }),
    ).toEqual({ status: 400, message: 'invalid pagination marker' })
  })
})

describe('two concurrent calls', () => {
  test('do not both add overlapping ranges', async () => {
    const host = network()
    const pools = [await create(), await create()]
    const tries = Array.from({ length: 8 }, (_, index) =>
      admin.send('POST', `/v1/system/ip-pools/${pools[index % 2]!.id}/ranges/add`, {
        body: range(host(index), host(index + 8)),
      }),
    )
    const answers = await Promise.all(tries)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7)
  })

  test('do not take an address while its range or link is removed', async () => {
    const host = network()
    for (let round = 0; round < 6; round++) {
      const { id } = await create()
      const body = range(host(round))
      await add(id, body)
      await link(id, 'main')
      const [taken, removed, unlinked] = await Promise.all([
        admin.send('POST', '/v1/floating-ips?project=work', {
          body: {
            name: fresh(),
            description: '',
            address_allocator: { type: 'auto', pool_selector: { type: 'explicit', pool: id } },
          },
        }),
        admin.send('POST', `/v1/system/ip-pools/${id}/ranges/remove`, { body }),
        admin.send('DELETE', `/v1/system/ip-pools/${id}/silos/main`),
      ])
      const has = taken.status === 201
      expect([removed.status, unlinked.status]).toEqual(has ? [400, 400] : expect.anything())
      if (!has) expect([404, 507]).toContain(taken.status)
      expect((await use(id)).ipv4.allocated).toBe(has ? 1 : 0)
    }
  })
})
