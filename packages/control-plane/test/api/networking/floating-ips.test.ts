/** Control plane specification 8.7: floating addresses. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool } from '../../support/networks.ts'
import { keepNothing, reaches, smallInstance } from '../../support/things.ts'

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
  poolId = await addPool(db, 'few', { first: '198.51.100.1', last: '198.51.100.9', siloId })
  await addPool(db, 'six', { ip_version: 'v6', first: '2001:db8::1', last: '2001:db8::f', siloId })
  await addPool(db, 'unlinked', { first: '203.0.113.1', last: '203.0.113.9' })
  await addPool(db, 'many', {
    pool_type: 'multicast',
    first: '239.0.0.1',
    last: '239.0.0.9',
    siloId,
  })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `thing-${count++}`
type Allocator = Wire.FloatingIpCreate['address_allocator']
const exactly = (ip: string): Allocator => ({ type: 'explicit', ip })
const from = (pool: string): Allocator => ({
  type: 'auto',
  pool_selector: { type: 'explicit', pool },
})
const body = (name: string, address_allocator?: Allocator) => ({
  name,
  description: '',
  address_allocator,
})
const create = (allocator?: Allocator, name = fresh()) =>
  admin.call('floating_ip_create', { query, body: body(name, allocator) })
const refusedCreate = (allocator?: Allocator, name = fresh()) =>
  admin.refusal('floating_ip_create', { query, body: body(name, allocator) })
const view = (id: string) => admin.call('floating_ip_view', { params: { floating_ip: id } })
const to = (floating_ip: string, parent: string) => ({
  params: { floating_ip },
  body: { kind: 'instance' as const, parent },
})
const attach = (id: string, parent: string) => admin.call('floating_ip_attach', to(id, parent))
const refusedAttach = (id: string, parent: string) =>
  admin.refusal('floating_ip_attach', to(id, parent))
const detach = (id: string) => admin.call('floating_ip_detach', { params: { floating_ip: id } })
const remove = (id: string) => admin.call('floating_ip_delete', { params: { floating_ip: id } })
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

async function stopped(values: object = {}, project = 'work') {
  const { id } = await admin.call('instance_create', {
    query: { project },
    body: smallInstance(fresh(), values),
  })
  return reaches(admin, id, 'stopped')
}

describe('a new floating IP', () => {
  test('is from the default pool by default', async () => {
    const pool = await admin.call('ip_pool_view', { params: { pool: 'default' } })
    const created = await create()
    expect(created).toMatchObject({ ip_pool_id: pool.id, instance_id: null })
    expect(created.ip).toMatch(/^100\.64\./)
    expect(await view(created.id)).toEqual(created)
  })

  test('is the lowest free address, or the requested one', async () => {
    const third = await create(exactly('198.51.100.3'))
    expect(third).toMatchObject({ ip: '198.51.100.3', ip_pool_id: poolId })
    const [first, second, fourth] = [
      await create(from('few')),
      await create(from('few')),
      await create(from('few')),
    ]
    expect([first.ip, second.ip, fourth.ip]).toEqual([
      '198.51.100.1',
      '198.51.100.2',
      '198.51.100.4',
    ])
    await remove(second.id)
    expect(await create(from('few'))).toMatchObject({ ip: '198.51.100.2' })
    expect(await create(exactly('2001:DB8:0::5'))).toMatchObject({ ip: '2001:db8::5' })
    expect(await refusedCreate(exactly('198.51.100.1'))).toEqual(
      invalid('Requested external IP address not available'),
    )
    for (const ip of ['5', '6', '7', '8', '9']) await create(exactly(`198.51.100.${ip}`))
    expect(await refusedCreate(from('few'))).toEqual({
      status: 507,
      error_code: 'InsufficientCapacity',
      message: expect.stringMatching(
        /^Insufficient capacity: No external IP addresses available: 0 of \d+ are left/,
      ) as string,
    })
  })

  test.each([
    [exactly('192.0.2.1'), 'IP address 192.0.2.1 is not in any configured pool'],
    [exactly('203.0.113.1'), 'IP address 203.0.113.1 is not in any configured pool'],
    [exactly('::c633:6401'), 'IP address ::c633:6401 is not in any configured pool'],
    [exactly('239.0.0.1'), "Pool 'many' is not a unicast pool (type: multicast)"],
    [from('many'), "Pool 'many' is not a unicast pool (type: multicast)"],
  ])('%j is refused', async (allocator, message) => {
    expect(await refusedCreate(allocator)).toEqual(invalid(message))
  })

  test('is not found in a pool of another silo', async () => {
    expect(await refusedCreate(from('unlinked'))).toMatchObject({
      status: 404,
      message: 'not found: ip-pool with name "unlinked"',
    })
  })

  test('does not share an address with outbound translation', async () => {
    const { id } = await stopped()
    const [snat] = (await admin.call('instance_external_ip_list', { params: { instance: id } }))
      .items
    expect(await refusedCreate(exactly(snat!.ip))).toEqual(
      invalid('Requested external IP address not available'),
    )
  })

  test('has a unique name in its project', async () => {
    const { id, name } = await create()
    const refusal = {
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: floating-ip "${name}"`,
    }
    expect(await refusedCreate(undefined, name)).toEqual(refusal)
    await admin.call('floating_ip_create', { query: { project: 'elsewhere' }, body: body(name) })
    const other = await create()
    const rename = { params: { floating_ip: other.id }, body: { name } }
    expect(await admin.refusal('floating_ip_update', rename)).toEqual(refusal)
    await remove(id)
    expect(await admin.call('floating_ip_update', rename)).toMatchObject({ id: other.id, name })
  })
})

test('an update changes only name and description', async () => {
  const created = await create()
  const params = { floating_ip: created.id }
  const name = fresh()
  const renamed = await admin.call('floating_ip_update', { params, body: { name } })
  expect(renamed).toEqual({ ...created, name, time_modified: renamed.time_modified })
  const described = await admin.call('floating_ip_update', {
    params: { floating_ip: name },
    query,
    body: { description: 'front door' },
  })
  expect(described).toMatchObject({ id: created.id, name, description: 'front door' })
})

test('the list has only the floating addresses of the project', async () => {
  await stopped({ external_ips: [{ type: 'ephemeral' }] })
  const project = await admin.call('project_create', { body: { name: 'few', description: '' } })
  const inFew = { project: project.id }
  const made = []
  for (const name of ['c', 'a', 'b']) {
    made.push(await admin.call('floating_ip_create', { query: inFew, body: body(name) }))
  }
  const list = async (sort_by: Wire.NameOrIdSortMode) =>
    (await admin.call('floating_ip_list', { query: { ...inFew, sort_by } })).items
  expect((await list('name_ascending')).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect((await list('name_descending')).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  expect((await list('id_ascending')).map(({ id }) => id)).toEqual(
    made.map(({ id }) => id).toSorted(),
  )
})

describe('attach and detach', () => {
  test('go there and back, and may be repeated', async () => {
    const instance = await stopped()
    const ip = await create()
    expect(await attach(ip.id, instance.id)).toMatchObject({ instance_id: instance.id })
    expect(await attach(ip.id, instance.name)).toMatchObject({ instance_id: instance.id })
    const { items } = await admin.call('instance_external_ip_list', {
      params: { instance: instance.id },
    })
    expect(items.find(({ kind }) => kind === 'floating')).toEqual({
      kind: 'floating',
      ...(await view(ip.id)),
    })
    expect(await admin.refusal('floating_ip_delete', { params: { floating_ip: ip.id } })).toEqual(
      invalid('Floating IP cannot be deleted while attached to an instance'),
    )
    expect(await detach(ip.id)).toMatchObject({ instance_id: null })
    expect(await detach(ip.id)).toMatchObject({ instance_id: null })
    await remove(ip.id)
    expect(
      await admin.refusal('floating_ip_view', { params: { floating_ip: ip.id } }),
    ).toMatchObject({ status: 404, message: `not found: floating-ip with id "${ip.id}"` })
  })

  test('are refused across projects', async () => {
    const [one, two] = [await stopped(), await stopped()]
    const ip = await create()
    await attach(ip.id, one.id)
    expect(await refusedAttach(ip.id, two.id)).toEqual(
      invalid('floating IP cannot be attached to one instance while still attached to another'),
    )
    const away = await stopped({}, 'elsewhere')
    expect(await refusedAttach(ip.id, away.id)).toEqual(
      invalid('floating IP must be in the same project as the instance'),
    )
    expect(await refusedAttach(ip.id, away.name)).toMatchObject({
      message: `not found: instance with name "${away.name}"`,
    })
    expect(
      await admin.refusal('instance_create', {
        query,
        body: smallInstance(fresh(), { external_ips: [{ type: 'floating', floating_ip: ip.id }] }),
      }),
    ).toEqual(
      invalid('floating IP cannot be attached to one instance while still attached to another'),
    )
  })

  test("of another project's address are refused for new and existing instances", async () => {
    const away = await admin.call('floating_ip_create', {
      query: { project: 'elsewhere' },
      body: body(fresh()),
    })
    const asked = (caller: Caller, floating_ip: string) =>
      caller.refusal('instance_create', {
        query,
        body: smallInstance('stillborn', { external_ips: [{ type: 'floating', floating_ip }] }),
      })
    const elsewhere = invalid('floating IP must be in the same project as the instance')
    expect(await asked(admin, away.id)).toEqual(elsewhere)
    expect(await asked(admin, away.id.toUpperCase())).toEqual(elsewhere)
    const missing = { status: 404, error_code: 'ObjectNotFound' }
    expect(await asked(admin, away.name)).toEqual({
      ...missing,
      message: `not found: floating-ip with name "${away.name}"`,
    })
    // A caller who may not see the project does not learn that the address exists.
    const { id: work } = await admin.call('project_view', { params: { project: 'work' } })
    const { caller } = await server.createUser(fresh(), { projects: { [work]: 'collaborator' } })
    expect(await asked(caller, away.id)).toEqual({
      ...missing,
      message: `not found: floating-ip with id "${away.id}"`,
    })
  })

  test('follow the instance, whose deletion leaves the address', async () => {
    const ip = await create()
    const instance = await stopped({ external_ips: [{ type: 'floating', floating_ip: ip.name }] })
    expect(await view(ip.id)).toMatchObject({ instance_id: instance.id })
    await admin.call('instance_delete', { params: { instance: instance.id } })
    expect(await view(ip.id)).toMatchObject({ instance_id: null })
    await remove(ip.id)
  })

  test('emit events, like every other change of an address', async () => {
    const instance = await stopped()
    const { id } = await create()
    await attach(id, instance.id)
    await attach(id, instance.id)
    await detach(id)
    await detach(id)
    await admin.call('floating_ip_update', {
      params: { floating_ip: id },
      body: { description: 'x' },
    })
    await remove(id)
    const events = await server.db
      .selectFrom('event')
      .select(['resource', 'action', 'resource_id'])
      // Instances of the other tests may still change.
      .where('resource_id', 'in', [id, instance.id])
      .orderBy('id')
      .execute()
    const about = events.slice(events.findIndex(({ resource_id }) => resource_id === id))
    expect(about.map(({ resource, action }) => `${resource} ${action}`)).toEqual([
      'floating-ips create',
      'floating-ips update',
      'instances update',
      'floating-ips update',
      'instances update',
      'floating-ips update',
      'floating-ips delete',
    ])
  })
})

test('concurrent creates get different addresses', async () => {
  const { db, siloId } = server
  await addPool(db, 'rush', { first: '192.0.2.1', last: '192.0.2.12', siloId })
  const made = await Promise.all(Array.from({ length: 12 }, () => create(from('rush'))))
  expect(new Set(made.map(({ ip }) => ip)).size).toBe(12)
})
