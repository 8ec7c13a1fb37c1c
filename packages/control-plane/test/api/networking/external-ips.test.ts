/**
 * Control plane specification 8.7: ephemeral addresses, and the conditions for attaching any
 * address.
 */
import type { Wire } from '@steading/api'
import type { InstanceState } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool } from '../../support/networks.ts'
import { reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const { db, siloId } = server
  await addPool(db, 'six', {
    ip_version: 'v6',
    first: '2001:db8::1',
    last: '2001:db8::ff',
    siloId,
  })
  await addPool(db, 'one', { first: '198.51.100.7', last: '198.51.100.7', siloId })
  await addPool(db, 'unlinked', { first: '198.51.100.100', last: '198.51.100.200' })
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

async function stopped(type = 'default_dual_stack') {
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance(fresh(), { network_interfaces: { type } }),
  })
  return reaches(admin, id, 'stopped')
}
const force = (id: string, run_state: InstanceState) =>
  server.db
    .updateTable('instance')
    .set({ run_state, reconcile_at: null })
    .where('id', '=', id)
    .execute()

const from = (pool: string): Wire.PoolSelector => ({ type: 'explicit', pool })
const attach = (instance: string, pool_selector?: object) =>
  admin.call('instance_ephemeral_ip_attach', { params: { instance }, body: { pool_selector } })
const refusedAttach = (instance: string, pool_selector?: object) =>
  admin.refusal('instance_ephemeral_ip_attach', { params: { instance }, body: { pool_selector } })
const detach = (instance: string, ip_version?: 'v4' | 'v6') =>
  admin.call('instance_ephemeral_ip_detach', { params: { instance }, query: { ip_version } })
const refusedDetach = (instance: string, ip_version?: 'v4' | 'v6') =>
  admin.refusal('instance_ephemeral_ip_detach', { params: { instance }, query: { ip_version } })
const addresses = async (instance: string) =>
  (await admin.call('instance_external_ip_list', { params: { instance } })).items
    .filter(({ kind }) => kind !== 'snat')
    .map(({ kind, ip }) => `${kind} ${ip}`)
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

/** A floating address to attach. */
const float = (pool = 'default') =>
  admin.call('floating_ip_create', {
    query,
    body: {
      name: fresh(),
      description: '',
      address_allocator: { type: 'auto', pool_selector: from(pool) },
    },
  })
const attachFloating = (id: string, parent: string) => ({
  params: { floating_ip: id },
  body: { kind: 'instance' as const, parent },
})

describe('an ephemeral address', () => {
  test('is the lowest free one of the pool, one of each version', async () => {
    const { id } = await stopped()
    const four = await attach(id)
    expect(four).toMatchObject({ kind: 'ephemeral', ip: expect.stringMatching(/^100\.64\./) })
    const six = await attach(id, from('six'))
    expect(six).toMatchObject({ kind: 'ephemeral', ip: '2001:db8::1' })
    // Attaching again, even from another pool, returns the same address.
    expect(await attach(id)).toEqual(four)
    expect(await attach(id, from('one'))).toEqual(four)
    expect(await attach(id, { type: 'auto', ip_version: 'v4' })).toEqual(four)
    expect(await attach(id, from('six'))).toEqual(six)
    expect((await addresses(id)).toSorted()).toEqual([
      `ephemeral ${four.ip}`,
      'ephemeral 2001:db8::1',
    ])

    expect(await refusedDetach(id)).toEqual(
      invalid('instance has two ephemeral IPs; specify ip_version to select which to detach'),
    )
    await detach(id, 'v4')
    expect(await addresses(id)).toEqual(['ephemeral 2001:db8::1'])
    expect(await refusedDetach(id, 'v4')).toEqual(
      invalid('instance does not have an ephemeral IP attached'),
    )
    await detach(id)
    expect(await addresses(id)).toEqual([])
    expect(await refusedDetach(id)).toEqual(
      invalid('instance does not have an ephemeral IP attached'),
    )
    // Both are free again.
    expect(await attach(id)).toEqual(four)
    expect(await attach(id, from('six'))).toEqual(six)
    await detach(id, 'v6')
  })

  test('can be attached and detached while the instance runs', async () => {
    const { id } = await stopped()
    await admin.call('instance_start', { params: { instance: id } })
    await reaches(admin, id, 'running')
    const { ip } = await attach(id)
    expect(await addresses(id)).toEqual([`ephemeral ${ip}`])
    await detach(id)
    expect(await addresses(id)).toEqual([])
  })

  const missing = (what: string) => ({
    status: 404,
    error_code: 'ObjectNotFound',
    message: `not found: ${what}`,
  })
  test.each([
    [from('nope'), missing('ip-pool with name "nope"')],
    [from('unlinked'), missing('ip-pool with name "unlinked"')],
    [
      from('00000000-0000-4000-8000-000000000000'),
      missing('ip-pool with id "00000000-0000-4000-8000-000000000000"'),
    ],
    [{ type: 'auto', ip_version: 'v6' }, missing('default unicast IPv6 pool for current silo')],
    [from('many'), invalid("Pool 'many' is not a unicast pool (type: multicast)")],
  ])('from %j is refused', async (selector, refusal) => {
    const { id } = await stopped()
    expect(await refusedAttach(id, selector)).toEqual(refusal)
  })

  test('is refused if the pool has none left', async () => {
    const [first, second] = [await stopped(), await stopped()]
    expect(await attach(first.id, from('one'))).toMatchObject({ ip: '198.51.100.7' })
    expect(await refusedAttach(second.id, from('one'))).toEqual({
      status: 507,
      error_code: 'InsufficientCapacity',
      message: expect.stringMatching(
        /^Insufficient capacity: No external IP addresses available: 0 of \d+ are left/,
      ) as string,
    })
    await detach(first.id)
    expect(await attach(second.id, from('one'))).toMatchObject({ ip: '198.51.100.7' })
    await detach(second.id)
  })

  test('is freed when its instance is deleted', async () => {
    const { id } = await stopped()
    await attach(id, from('one'))
    await admin.call('instance_delete', { params: { instance: id } })
    const next = await stopped()
    expect(await attach(next.id, from('one'))).toMatchObject({ ip: '198.51.100.7' })
    await detach(next.id)
  })

  test('emits events for itself and its instance', async () => {
    const { id, name } = await stopped()
    const { ip } = await attach(id)
    await detach(id)
    const events = await server.db
      .selectFrom('event')
      .select(['resource', 'action', 'name'])
      .where('name', 'in', [ip, name])
      .orderBy('id', 'desc')
      .limit(4)
      .execute()
    expect(events.toReversed()).toEqual([
      { resource: 'external-ips', action: 'create', name: ip },
      { resource: 'instances', action: 'update', name },
      { resource: 'external-ips', action: 'delete', name: ip },
      { resource: 'instances', action: 'update', name },
    ])
  })
})

test('with default pools of both versions, one has to be named', async () => {
  const { db, siloId } = server
  const pool = await addPool(db, 'default-six', {
    ip_version: 'v6',
    first: '2001:db8:1::1',
    last: '2001:db8:1::ff',
    siloId,
    isDefault: true,
  })
  const { id } = await stopped()
  expect(await refusedAttach(id)).toEqual(
    invalid(
      'Multiple default unicast IP pools exist with different IP versions. Please specify ip_version (v4 or v6) or provide an explicit pool.',
    ),
  )
  expect(await attach(id, { type: 'auto', ip_version: 'v6' })).toMatchObject({
    ip: '2001:db8:1::1',
    ip_pool_id: pool,
  })
  await db.deleteFrom('ip_pool_silo_link').where('ip_pool_id', '=', pool).execute()
})

describe('the primary interface must have the version', () => {
  test.each([
    ['default_ipv6', 'default', 'IPv4'],
    ['default_ipv4', 'six', 'IPv6'],
    ['none', 'default', 'IPv4'],
  ])('%s, address of pool %s', async (type, pool, version) => {
    const { id } = await stopped(type)
    const message = (kind: string) =>
      `The ${kind} external IP is an ${version} address, but the instance with ID ${id} does not have a primary network interface with a VPC-private ${version} address. Add a VPC-private ${version} address to the interface, or attach a different IP address`
    expect(await refusedAttach(id, from(pool))).toEqual(invalid(message('ephemeral')))
    const floating = await float(pool)
    expect(await admin.refusal('floating_ip_attach', attachFloating(floating.id, id))).toEqual(
      invalid(message('floating')),
    )
  })
})

describe('the state of the instance decides', () => {
  const unavailable = {
    status: 503,
    error_code: 'ServiceNotAvailable',
    message: 'Service Unavailable',
  }
  const creating = invalid('cannot modify instance IP or subnets, instance is still being created')
  const failed = invalid('cannot modify instance IPs or subnets, instance is in unhealthy state')
  const states: [InstanceState, object?][] = [
    ['stopped'],
    ['running'],
    ['rebooting'],
    ['starting', unavailable],
    ['stopping', unavailable],
    ['migrating', unavailable],
    ['creating', creating],
    ['failed', failed],
    ['repairing'],
  ]
  test.each(states)('%s', async (state, refusal) => {
    const { id } = await stopped()
    const [floating, attached] = [await float(), await float()]
    await admin.call('floating_ip_attach', attachFloating(attached.id, id))
    const detachArgs = { params: { floating_ip: attached.id } }
    await force(id, state)
    const expected = (verb: 'attach' | 'detach', kind: string) =>
      refusal ??
      invalid(
        verb === 'attach'
          ? `cannot attach ${kind} IP to instance in ${state} state`
          : `cannot detach ${kind} IP from instance in ${state} state`,
      )
    if (['stopped', 'running', 'rebooting'].includes(state)) {
      await attach(id)
      await detach(id)
      await admin.call('floating_ip_attach', attachFloating(floating.id, id))
      await admin.call('floating_ip_detach', detachArgs)
      return
    }
    expect(await refusedAttach(id)).toEqual(expected('attach', 'ephemeral'))
    expect(await admin.refusal('floating_ip_attach', attachFloating(floating.id, id))).toEqual(
      expected('attach', 'floating'),
    )
    expect(await admin.refusal('floating_ip_detach', detachArgs)).toEqual(
      expected('detach', 'floating'),
    )
    // Attaching an attached address succeeds in any state.
    await admin.call('floating_ip_attach', attachFloating(attached.id, id))
    await force(id, 'stopped')
    const held = await attach(id)
    await force(id, state)
    expect(await attach(id)).toEqual(held)
    expect(await refusedDetach(id)).toEqual(expected('detach', 'ephemeral'))
  })
})

test('an instance has at most 32 addresses, not counting outbound translation', async () => {
  const { id } = await stopped()
  const floating: string[] = []
  for (let n = 0; n < 31; n++) floating.push((await float()).id)
  for (const one of floating) await admin.call('floating_ip_attach', attachFloating(one, id))
  await attach(id)
  const message = 'an instance may not have more than 32 external IP addresses'
  expect(await refusedAttach(id, from('six'))).toEqual(invalid(message))
  const more = await float()
  expect(await admin.refusal('floating_ip_attach', attachFloating(more.id, id))).toEqual(
    invalid(message),
  )
  expect(await addresses(id)).toHaveLength(32)
  await detach(id)
  await admin.call('floating_ip_attach', attachFloating(more.id, id))
  const external_ips = [...floating, more.id, more.id].map((floating_ip) => ({
    type: 'floating',
    floating_ip,
  }))
  expect(
    await admin.refusal('instance_create', {
      query,
      body: smallInstance(fresh(), { external_ips }),
    }),
  ).toEqual(invalid('An instance may not have more than 32 external IP addresses'))
})
