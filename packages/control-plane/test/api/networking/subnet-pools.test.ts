/** Control plane specification 8.9: subnet pools for operators. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'

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
const of = (pool: string) => ({ params: { pool } })
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

const create = (ip_version: Wire.IpVersion = 'v4', name = fresh()) =>
  admin.call('system_subnet_pool_create', { body: { name, description: '', ip_version } })
const add = (pool: string, body: Wire.SubnetPoolMemberAdd) =>
  admin.call('system_subnet_pool_member_add', { ...of(pool), body })
const refusedAdd = async (pool: string, body: Wire.SubnetPoolMemberAdd) =>
  (await admin.refusal('system_subnet_pool_member_add', { ...of(pool), body })).message
const link = (pool: string, is_default = false, silo = 'main') =>
  admin.call('system_subnet_pool_silo_link', { ...of(pool), body: { silo, is_default } })
const refusedLink = (pool: string, is_default = false, silo = 'main') =>
  admin.refusal('system_subnet_pool_silo_link', { ...of(pool), body: { silo, is_default } })
const use = (pool: string) => admin.call('system_subnet_pool_utilization_view', of(pool))
const allocate = (pool: string, prefix_length: number) =>
  admin.call('external_subnet_create', {
    query,
    body: {
      name: fresh(),
      description: '',
      allocator: { type: 'auto', prefix_length, pool_selector: { type: 'explicit', pool } },
    },
  })

test('a pool can be created, renamed, found and deleted', async () => {
  const pool = await create('v6')
  expect(pool).toMatchObject({ ip_version: 'v6', description: '' })
  expect(await admin.call('system_subnet_pool_view', of(pool.name))).toEqual(pool)
  expect(
    await admin.refusal('system_subnet_pool_create', {
      body: { name: pool.name, description: '', ip_version: 'v4' },
    }),
  ).toMatchObject({ message: `already exists: subnet-pool "${pool.name}"` })
  const name = fresh()
  await admin.call('system_subnet_pool_update', { ...of(pool.id), body: { name } })
  const found = await admin.call('system_subnet_pool_search', { query: { search: name } })
  expect(found.items).toMatchObject([{ id: pool.id, utilization: { capacity: 0, remaining: 0 } }])
  await admin.call('system_subnet_pool_delete', of(pool.id))
  expect(await admin.refusal('system_subnet_pool_view', of(pool.id))).toMatchObject({
    status: 404,
    message: `not found: subnet-pool with id "${pool.id}"`,
  })
})

describe('members', () => {
  test('are listed by their addresses, with the lengths of their subnets', async () => {
    const { id } = await create()
    await add(id, { subnet: '10.9.1.0/24', min_prefix_length: 26, max_prefix_length: 28 })
    const first = await add(id, { subnet: '10.9.0.0/25' })
    expect(first).toMatchObject({
      subnet_pool_id: id,
      subnet: '10.9.0.0/25',
      min_prefix_length: 25,
      max_prefix_length: 32,
    })
    const pages = async (limit: number, page_token?: string): Promise<string[]> => {
      const { items, next_page } = await admin.call('system_subnet_pool_member_list', {
        ...of(id),
        query: { limit, page_token },
      })
      const rest = items.length < limit || !next_page ? [] : await pages(limit, next_page)
      return [...items.map(({ subnet }) => subnet), ...rest]
    }
    expect(await pages(1)).toEqual(['10.9.0.0/25', '10.9.1.0/24'])
    expect(await use(id)).toEqual({ capacity: 384, remaining: 384 })
  })

  test.each<[Wire.SubnetPoolMemberAdd, string]>([
    [{ subnet: '10.8.0.1/24' }, 'IP subnet must be a network address, with a host ID of zero.'],
    [
      { subnet: '10.8.0.0/24', min_prefix_length: 28, max_prefix_length: 26 },
      'The minimum prefix length must be no greater than the maximum',
    ],
    [
      { subnet: '10.8.0.0/24', max_prefix_length: 33 },
      'Cannot create an IPv4 subnet with a max prefix length greater than 32',
    ],
    [
      { subnet: '10.8.0.0/24', min_prefix_length: 23 },
      'Min and max prefix length must be no less than the IP subnet prefix length (/24)',
    ],
    [{ subnet: 'fd00::/64' }, 'Cannot add IPv6 members to IPv4 subnet pool'],
  ])('%j is refused', async (body, message) => {
    const { id } = await create()
    expect(await refusedAdd(id, body)).toBe(message)
  })

  test('overlap neither with other members, nor with ranges of IP pools', async () => {
    const { id } = await create()
    await add(id, { subnet: '10.7.0.0/24' })
    const other = await create()
    const overlaps = (subnet: string) =>
      `The IP subnet ${subnet} overlaps with an existing subnet pool member or IP pool range`
    for (const subnet of ['10.7.0.0/24', '10.7.0.128/25', '10.0.0.0/8']) {
      expect(await refusedAdd(other.id, { subnet })).toBe(overlaps(subnet))
    }
    const ips = await admin.call('system_ip_pool_create', {
      body: { name: fresh(), description: '' },
    })
    const range = { first: '10.7.0.200', last: '10.7.1.9' }
    expect(await admin.refusal('system_ip_pool_range_add', { ...of(ips.id), body: range })).toEqual(
      invalid(
        'The provided IP range 10.7.0.200-10.7.1.9 overlaps with an existing IP pool range or subnet pool member',
      ),
    )
    const free = { first: '10.7.1.0', last: '10.7.1.9' }
    await admin.call('system_ip_pool_range_add', { ...of(ips.id), body: free })
    expect(await refusedAdd(other.id, { subnet: '10.7.1.0/24' })).toBe(overlaps('10.7.1.0/24'))
  })

  test('with subnets cannot be removed, nor their pool deleted', async () => {
    const { id } = await create()
    await link(id)
    await add(id, { subnet: '10.6.0.0/24' })
    const subnet = await allocate(id, 26)
    expect(await use(id)).toEqual({ capacity: 256, remaining: 192 })
    const remove = { ...of(id), body: { subnet: '10.6.0.0/24' } }
    expect(await admin.refusal('system_subnet_pool_member_remove', remove)).toEqual(
      invalid(
        'Cannot delete external subnet pool member while it contains external subnets. Please delete all external subnets first.',
      ),
    )
    expect(await admin.refusal('system_subnet_pool_delete', of(id))).toEqual(
      invalid(
        'Cannot delete external subnet pool while it contains members. Please delete all external subnet pool members first.',
      ),
    )
    await admin.call('external_subnet_delete', { params: { external_subnet: subnet.id } })
    expect(await use(id)).toEqual({ capacity: 256, remaining: 256 })
    await admin.call('system_subnet_pool_member_remove', remove)
    expect(await admin.refusal('system_subnet_pool_member_remove', remove)).toEqual(
      invalid('A provided subnet pool member with subnet 10.6.0.0/24 does not exist'),
    )
    await admin.call('system_subnet_pool_delete', of(id))
  })

  test('of IPv6 are counted with the precision of a double', async () => {
    const { id } = await create('v6')
    await link(id)
    await add(id, { subnet: 'fd07::/16' })
    await allocate(id, 64)
    const { capacity, remaining } = await use(id)
    expect(capacity).toBe(2 ** 112)
    expect(remaining).toBe(Number(2n ** 112n - 2n ** 64n))
  })
})

describe('links', () => {
  const silos: string[] = []
  beforeAll(async () => {
    for (const name of ['guild', 'abbey']) {
      await server.createSilo(name)
      silos.push(name)
    }
  })

  test('are created once, and give the silo access to the pool', async () => {
    const pool = await create()
    expect(await link(pool.id, false, 'guild')).toMatchObject({
      subnet_pool_id: pool.id,
      is_default: false,
    })
    const { message } = await refusedLink(pool.id, false, 'guild')
    expect(message).toMatch(/^already exists: subnet-pool-silo-link "subnet_pool_id: /)
    const { items } = await admin.call('silo_subnet_pool_list', { params: { silo: 'guild' } })
    expect(items).toEqual([{ ...pool, is_default: false }])
    const links = await admin.call('system_subnet_pool_silo_list', of(pool.id))
    expect(links.items).toHaveLength(1)
  })

  test('make one pool of each version the default', async () => {
    const [one, two, six] = [await create(), await create(), await create('v6')]
    await link(one.id, true, 'abbey')
    await link(six.id, true, 'abbey')
    expect(await refusedLink(two.id, true, 'abbey')).toEqual(
      invalid(
        'Silo already has a default subnet pool for this IP version. Link the pool as non-default, then make it the default, which will demote the existing one.',
      ),
    )
    const about = { params: { pool: two.id, silo: 'abbey' }, body: { is_default: true } }
    expect(await admin.refusal('system_subnet_pool_silo_update', about)).toMatchObject({
      status: 404,
    })
    await link(two.id, false, 'abbey')
    await admin.call('system_subnet_pool_silo_update', about)
    const { items } = await admin.call('silo_subnet_pool_list', { params: { silo: 'abbey' } })
    const defaults = items.filter(({ is_default }) => is_default).map(({ id }) => id)
    expect(defaults.sort()).toEqual([two.id, six.id].sort())
  })

  test('stay while a project of the silo has subnets of the pool', async () => {
    const { id } = await create()
    await link(id)
    await add(id, { subnet: '10.5.0.0/24' })
    const subnet = await allocate(id, 28)
    const about = { params: { pool: id, silo: 'main' } }
    expect(await admin.refusal('system_subnet_pool_silo_unlink', about)).toEqual(
      invalid(
        'Cannot unlink subnet pool from silo while there are external subnets allocated from the pool. Delete the subnets first, and try again.',
      ),
    )
    await admin.call('external_subnet_delete', { params: { external_subnet: subnet.id } })
    await admin.call('system_subnet_pool_silo_unlink', about)
    expect(await admin.refusal('subnet_pool_view', of(id))).toMatchObject({ status: 404 })
  })
})
