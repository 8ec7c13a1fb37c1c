/** Control plane specification 8.10: multicast groups. */
import type { Wire } from '@steading/api'
import { formatAddress, parseAddress } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addPool } from '../../support/networks.ts'
import { reaches, smallInstance, stoppedInstance, unchanged, until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let casts: string
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const { db, siloId } = server
  const pool_type = 'multicast'
  const linked = { pool_type, siloId } as const
  casts = await addPool(db, 'casts', { ...linked, first: '239.1.0.0', last: '239.1.255.255' })
  await addPool(db, 'sourced', { ...linked, first: '232.1.0.0', last: '232.1.0.255' })
  const first = 'ff3e::1:0'
  await addPool(db, 'six', { ...linked, ip_version: 'v6', first, last: 'ff3e::1:ff' })
  await addPool(db, 'unlinked', { pool_type, first: '239.9.0.0', last: '239.9.0.9' })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `thing-${count++}`
type Join = Partial<Wire.InstanceMulticastGroupJoin>
const args = (instance: string, multicast_group: string, body: Join = {}) => ({
  params: { instance, multicast_group },
  body,
})
const join = (instance: string, group: string, body?: Join, caller = admin) =>
  caller.call('instance_multicast_group_join', args(instance, group, body))
const refusedJoin = async (instance: string, group: string, body?: Join, caller = admin) =>
  (await caller.refusal('instance_multicast_group_join', args(instance, group, body))).message
const leave = (instance: string, multicast_group: string) =>
  admin.call('instance_multicast_group_leave', { params: { instance, multicast_group } })
const view = (multicast_group: string, caller = admin) =>
  caller.call('multicast_group_view', { params: { multicast_group } })
const isGone = async (multicast_group: string) => {
  const { status } = await admin.send('GET', `/v1/multicast-groups/${multicast_group}`)
  return status === 404
}
const groupsOf = async (instance: string) =>
  (await admin.call('instance_multicast_group_list', { params: { instance } })).items
const membersOf = async (multicast_group: string) =>
  (await admin.call('multicast_group_member_list', { params: { multicast_group } })).items
const stopped = async (values?: object) => (await stoppedInstance(admin, query, fresh(), values)).id
const running = async (values: object = {}) => {
  const body = smallInstance(fresh(), { start: true, ...values })
  const { id } = await admin.call('instance_create', { query, body })
  await reaches(admin, id, 'running')
  return id
}
const poolUse = async (pool: string) => {
  const use = await admin.call('system_ip_pool_utilization_view', { params: { pool } })
  return use.capacity - use.remaining
}

describe('joining', () => {
  test('creates a group by name, which everybody finds by name, ID and address', async () => {
    const name = fresh()
    const used = await poolUse(casts)
    const member = await join(await stopped(), name)
    const group = await view(name)
    expect(group).toMatchObject({
      name,
      ip_pool_id: casts,
      source_ips: [],
      has_any_source_member: true,
      state: 'Active',
    })
    expect(group.multicast_ip).toMatch(/^239\.1\./)
    expect(member).toMatchObject({
      multicast_group_id: group.id,
      multicast_ip: group.multicast_ip,
      state: 'Left',
    })
    expect(await poolUse(casts)).toBe(used + 1)
    const nobody = await server.createUser(fresh())
    for (const selector of [group.id, group.multicast_ip, name]) {
      expect(await view(selector, nobody.caller)).toEqual(group)
    }
    const list = await nobody.caller.call('multicast_group_list')
    expect(list.items).toContainEqual(group)
    const other = await join(await stopped(), group.id.toUpperCase())
    expect(other.multicast_group_id).toBe(group.id)
    expect(await membersOf(group.multicast_ip)).toEqual(
      [member, other].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
  })

  test.each(['239.1.7.7', 'FF3E::1:00AB'])('creates a group by the address %s', async (ip) => {
    const source = ip.includes(':') ? '2001:db8::1' : '192.0.2.1'
    const { multicast_ip } = await join(await stopped(), ip, { source_ips: [source] })
    expect(multicast_ip).toBe(formatAddress(parseAddress(ip)!))
    const { name, source_ips } = await view(multicast_ip)
    expect(name).toBe(ip.includes(':') ? 'mcast-ff3e-0-0-0-0-0-1-ab' : 'mcast-239-1-7-7')
    expect(source_ips).toEqual([source])
    expect((await view(name)).multicast_ip).toBe(multicast_ip)
  })

  test('again changes the sources, and without sources keeps them', async () => {
    const [box, group] = [await stopped(), fresh()]
    const first = await join(box, group, { source_ips: ['192.0.2.1', '192.0.2.1'] })
    expect(first.source_ips).toEqual(['192.0.2.1'])
    expect((await join(box, group)).source_ips).toEqual(['192.0.2.1'])
    const other = { source_ips: ['192.0.2.2', '192.0.2.1'] }
    await join(await stopped(), group, other)
    expect(await view(group)).toMatchObject({ has_any_source_member: false })
    expect((await view(group)).source_ips.toSorted()).toEqual(['192.0.2.1', '192.0.2.2'])
    expect((await view(group)).multicast_ip).toMatch(/^232\.1\.0\./)
  })

  test('requires sources for source-specific addresses, but not for others', async () => {
    const [box, group] = [await stopped(), '239.1.8.8']
    await join(box, group, { source_ips: ['192.0.2.1'] })
    expect((await join(box, group, { source_ips: [] })).source_ips).toEqual([])
    expect(await view(group)).toMatchObject({ has_any_source_member: true, source_ips: [] })
    expect(await refusedJoin(box, '232.1.0.77')).toBe(
      'SSM multicast addresses require at least one source IP',
    )
  })

  test.each<[group: string, body: Join, message: string]>([
    ['239.9.0.1', {}, 'multicast IP address 239.9.0.1 is not in any configured multicast pool'],
    [
      '239.1.9.9',
      { source_ips: ['2001:db8::1'] },
      'source IP 2001:db8::1 does not match multicast group address family (IPv4)',
    ],
    ['239.1.9.9', { source_ips: ['224.0.0.9'] }, 'source IP 224.0.0.9 is not a unicast address'],
    ['239.1.9.9', { source_ips: ['127.0.0.1'] }, 'source IP 127.0.0.1 is not a unicast address'],
    [
      '239.1.9.9',
      { ip_version: 'v6' },
      'ip_version v6 does not match multicast group address family (IPv4)',
    ],
    [
      'no-pool',
      { ip_version: 'v6' },
      'No v6 ASM multicast pool linked to your silo. Create a multicast pool and link it to your silo, or provide an explicit pool or multicast address.',
    ],
    [
      '239.1.9.9',
      { source_ips: Array.from({ length: 65 }, (_, host) => `192.0.2.${host + 1}`) },
      'A member may not name more than 64 source IPs',
    ],
  ])('%s with %o is refused', async (group, body, message) => {
    expect(await refusedJoin(await stopped(), group, body)).toBe(message)
    expect(await isGone(group)).toBe(true)
  })

  test.each(['10.0.0.1', 'Not a name', '-x', '239.1.1'])('refuses %s as a group', async (text) => {
    const path = `/v1/instances/${await stopped()}/multicast-groups/${encodeURIComponent(text)}`
    const { status } = await admin.send('PUT', path, { body: {} })
    expect(status).toBe(400)
  })

  test('refuses an unknown ID', async () => {
    const id = crypto.randomUUID()
    expect(await refusedJoin(await stopped(), id)).toBe(
      `not found: multicast-group with id "${id}"`,
    )
  })

  test('is refused beyond the limit of groups per instance', async () => {
    const groups = Array.from({ length: 32 }, () => ({ group: fresh() }))
    const box = await stopped({ multicast_groups: groups })
    const message = 'An instance may not join more than 32 multicast groups'
    expect(await refusedJoin(box, fresh())).toBe(message)
    const body = smallInstance(fresh(), { multicast_groups: [...groups, { group: fresh() }] })
    expect((await admin.refusal('instance_create', { query, body })).message).toBe(message)
  })

  test('is refused for a silo that is not linked to the pool of the group', async () => {
    const name = fresh()
    await join(await stopped(), name)
    const silo = await server.createSilo(fresh())
    const { caller } = await server.createUser(fresh(), { silo: 'admin' }, silo)
    await caller.call('project_create', { body: { name: 'theirs', description: '' } })
    const values = { network_interfaces: { type: 'none' } }
    const box = await stoppedInstance(caller, { project: 'theirs' }, fresh(), values)
    const { multicast_ip } = await view(name, caller)
    const message = `multicast IP address ${multicast_ip} is not in any configured multicast pool`
    expect(await refusedJoin(box.id, name, {}, caller)).toBe(message)
    expect(await refusedJoin(box.id, multicast_ip, {}, caller)).toBe(message)
  })
})

describe('the last member', () => {
  test('takes the group with it, and its address is free', async () => {
    const [a, b, name] = [await stopped(), await stopped(), fresh()]
    await join(a, name)
    await join(b, name)
    const used = await poolUse(casts)
    await leave(a, name)
    expect((await view(name)).state).toBe('Active')
    await leave(b, name)
    expect(await isGone(name)).toBe(true)
    expect(await poolUse(casts)).toBe(used - 1)
    const params = { instance: b, multicast_group: name }
    const { status } = await admin.refusal('instance_multicast_group_leave', { params })
    expect(status).toBe(404)
  })

  test('is the only one that can leave: others are refused', async () => {
    const [a, b, name] = [await stopped(), await stopped(), fresh()]
    await join(a, name)
    const params = { instance: b, multicast_group: name }
    expect(await admin.refusal('instance_multicast_group_leave', { params })).toMatchObject({
      status: 404,
      message: `not found: multicast-group-member with id "${b}"`,
    })
  })

  test('leaves when its instance is deleted', async () => {
    const [box, name] = [await stopped(), fresh()]
    await join(box, name)
    const told = await admin.call('instance_deletion', { params: { instance: box } })
    expect(told.groups).toContainEqual(
      expect.objectContaining({ kind: 'multicast_group_member', relation: 'goes', total: 1 }),
    )
    await admin.call('instance_delete', { params: { instance: box } })
    await until(
      () => isGone(name),
      (gone) => expect(gone).toBe(true),
    )
  })

  test('may return before the group is removed', async () => {
    const [box, name] = [await stopped(), fresh()]
    await join(box, name)
    const before = await view(name)
    const path = `/v1/instances/${box}/multicast-groups/${name}`
    const answers = await Promise.all([
      admin.send('DELETE', path),
      admin.send('PUT', path, { body: {} }),
      admin.send('DELETE', path),
      admin.send('PUT', path, { body: {} }),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const isMember = (await groupsOf(box)).length === 1
    await until(
      () => isGone(name),
      (gone) => expect(gone).toBe(!isMember),
    )
    if (isMember) expect((await view(name)).name).toBe(before.name)
  })
})

describe('an instance', () => {
  const states = (id: string) => groupsOf(id).then((items) => items.map(({ state }) => state))

  test('receives while it runs', async () => {
    const name = fresh()
    const box = await running({ multicast_groups: [{ group: name }] })
    await until(
      () => states(box),
      (now) => expect(now).toEqual(['Joined']),
    )
    const receivers = async () => {
      const { multicast_ip } = await view(name)
      const row = await server.db
        .selectFrom('simulated_multicast')
        .select('receivers')
        .where('address', '=', multicast_ip)
        .executeTakeFirstOrThrow()
      return (JSON.parse(row.receivers) as { machineId: string }[]).map((one) => one.machineId)
    }
    const { vm_id } = await server.db
      .selectFrom('instance')
      .select('vm_id')
      .where('id', '=', box)
      .executeTakeFirstOrThrow()
    expect(await receivers()).toEqual([vm_id])
    await admin.call('instance_stop', { params: { instance: box } })
    await until(
      () => states(box),
      (now) => expect(now).toEqual(['Left']),
    )
    expect(await receivers()).toEqual([])
    await admin.call('instance_start', { params: { instance: box } })
    await until(
      () => states(box),
      (now) => expect(now).toEqual(['Joined']),
    )
    await leave(box, name)
    expect(await groupsOf(box)).toEqual([])
    const left = await server.db.selectFrom('simulated_multicast').select('id').execute()
    const there = await server.db.selectFrom('multicast_group').select('id').execute()
    expect(left.map(({ id }) => id).toSorted()).toEqual(there.map(({ id }) => id).toSorted())
  })

  test('is in exactly the groups of its update', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()]
    const box = await stopped({ multicast_groups: [{ group: a }, { group: b }] })
    const instance = await admin.call('instance_view', { params: { instance: box } })
    const update = (multicast_groups: unknown) =>
      admin.send('PUT', `/v1/instances/${box}`, {
        body: { ...unchanged(instance), multicast_groups },
      })
    const names = async () => {
      const items = await groupsOf(box)
      return (await Promise.all(items.map((one) => view(one.multicast_group_id))))
        .map(({ name }) => name)
        .toSorted()
    }
    const before = (await groupsOf(box)).map(({ id }) => id)
    expect((await update(null)).status).toBe(200)
    expect(await names()).toEqual([a, b].toSorted())
    expect((await update([{ group: b }, { group: c }])).status).toBe(200)
    expect(await names()).toEqual([b, c].toSorted())
    // The remaining membership is unchanged.
    expect((await groupsOf(box)).filter(({ id }) => before.includes(id))).toHaveLength(1)
    const { multicast_ip } = await view(c)
    expect(await update([{ group: c }, { group: multicast_ip }])).toMatchObject({
      status: 400,
      body: { message: 'Duplicate multicast group specified in request' },
    })
    expect(await names()).toEqual([b, c].toSorted())
    expect((await update([])).status).toBe(200)
    expect(await groupsOf(box)).toEqual([])
    await until(
      () => isGone(b),
      (gone) => expect(gone).toBe(true),
    )
  })

  test('that cannot be created leaves no group behind', async () => {
    const name = fresh()
    const body = smallInstance(fresh(), {
      multicast_groups: [{ group: name }],
      disks: [{ type: 'attach', name: 'there-is-none' }],
    })
    expect((await admin.refusal('instance_create', { query, body })).status).toBe(404)
    expect(await isGone(name)).toBe(true)
  })
})

test('members are named only to callers who may read their instances', async () => {
  const name = fresh()
  const box = await stopped()
  await join(box, name)
  const params = { multicast_group: name }
  const seen = async (caller: Caller, search?: string) => {
    const query = { search }
    const page = await caller.call('multicast_group_member_details_list', { params, query })
    return page.items.map((one) => [one.instance_id, one.instance_name, one.project_name])
  }
  const { name: instance } = await admin.call('instance_view', { params: { instance: box } })
  expect(await seen(admin)).toEqual([[box, instance, 'work']])
  expect(await seen(admin, instance.slice(0, -1))).toEqual([[box, instance, 'work']])
  expect(await seen(admin, 'nothing')).toEqual([])
  const { caller } = await server.createUser(fresh())
  expect(await seen(caller)).toEqual([[box, null, null]])
  expect(await seen(caller, instance)).toEqual([])
})

describe('the pool of a group', () => {
  test('keeps its range, and its link to the silo of a member', async () => {
    const pool_type = 'multicast'
    const { id } = await admin.call('system_ip_pool_create', {
      body: { name: fresh(), description: '', pool_type },
    })
    const params = { pool: id }
    const range = { first: '239.2.0.1', last: '239.2.0.2' }
    await admin.call('system_ip_pool_range_add', { params, body: range })
    await admin.call('system_ip_pool_silo_link', {
      params,
      body: { silo: 'main', is_default: false },
    })
    const [box, group] = [await stopped(), '239.2.0.2']
    await join(box, group)
    expect(
      (await admin.refusal('system_ip_pool_range_remove', { params, body: range })).message,
    ).toBe('IP pool ranges cannot be deleted while multicast groups are allocated from them')
    const link = { params: { pool: id, silo: 'main' } }
    expect((await admin.refusal('system_ip_pool_silo_unlink', link)).message).toBe(
      'IP addresses from this pool are in use in the linked silo',
    )
    const { items } = await admin.call('system_ip_pool_address_list', { params })
    expect(items).toMatchObject([
      { ip: group, kind: 'multicast', name: 'mcast-239-2-0-2', silo_name: null, instance_id: null },
    ])
    const found = (search: string) =>
      admin
        .call('system_ip_pool_address_list', { params, query: { search } })
        .then((page) => page.items.length)
    expect([await found('239.2'), await found('mcast'), await found('x')]).toEqual([1, 1, 0])
    await leave(box, group)
    await admin.call('system_ip_pool_silo_unlink', link)
    await admin.call('system_ip_pool_range_remove', { params, body: range })
  })

  test('without a free address is named in the error', async () => {
    const { db, siloId } = server
    const silo = await server.createSilo(fresh())
    const { caller } = await server.createUser(fresh(), { silo: 'admin' }, silo)
    expect(silo).not.toBe(siloId)
    const one = { pool_type: 'multicast', siloId: silo } as const
    await addPool(db, 'single', { ...one, first: '239.3.0.1', last: '239.3.0.1' })
    await caller.call('project_create', { body: { name: 'theirs', description: '' } })
    const values = { network_interfaces: { type: 'none' } }
    const box = await stoppedInstance(caller, { project: 'theirs' }, fresh(), values)
    await join(box.id, fresh(), {}, caller)
    expect(await refusedJoin(box.id, fresh(), {}, caller)).toBe(
      'Insufficient capacity: No external IP addresses available: 0 of 1 are left in the pool "single"',
    )
  })
})

test('the list is searched, filtered and sorted', async () => {
  const names = [`searched-${fresh()}`, `searched-${fresh()}`]
  const box = await stopped()
  for (const name of names) await join(box, name)
  const search = async (query: object) =>
    (await admin.call('multicast_group_search', { query })).items
  expect(
    (await search({ search: 'searched', sort_by: 'name_descending' })).map((g) => g.name),
  ).toEqual(names.toReversed())
  const [first] = await search({ search: names[0] })
  expect(first).toMatchObject({ name: names[0], member_count: 1 })
  expect(await search({ search: first!.multicast_ip })).toContainEqual(first)
  expect(await search({ search: 'searched', version: 'v6' })).toEqual([])
  expect(await search({ search: 'searched', pool: 'casts', state: 'Active' })).toHaveLength(2)
  const byIp = await search({ sort_by: 'multicast_ip_ascending' })
  const values = byIp.map(({ multicast_ip }) => parseAddress(multicast_ip)!)
  const inOrder = (a: bigint, b: bigint) => (a < b ? -1 : 1)
  const v4 = values.filter(({ version }) => version === 'v4').map(({ value }) => value)
  expect(v4).toEqual(v4.toSorted(inOrder))
})

test('groups are found by name and address, and starred', async () => {
  const name = `found-${fresh()}`
  const { multicast_ip } = await join(await stopped(), name)
  const { caller } = await server.createUser(fresh())
  for (const text of [name, multicast_ip]) {
    const { items } = await caller.call('find', { query: { text } })
    expect(items).toContainEqual(expect.objectContaining({ kind: 'multicast_group', name }))
  }
  const { id } = await view(name)
  await caller.call('star_create', { body: { kind: 'multicast_group', id } })
  expect((await caller.call('star_list')).items).toMatchObject([{ name }])
})

test('everybody may see a group, without a role', async () => {
  const ana = await server.createUser('ana-of-any')
  const page = await admin.call('access_list', {
    query: { kind: 'multicast_group', action: 'read', search: 'ana-of-any' },
  })
  expect(page.items).toMatchObject([{ user: { id: ana.id }, paths: [{ grant: 'any.user' }] }])
  expect(page.items[0]!.paths).toHaveLength(1)
})

describe('while multicast is off', () => {
  let off: TestServer
  let box: string
  beforeAll(async () => {
    off = await startTestServer()
    await off.admin.call('project_create', { body: { name: 'work', description: '' } })
    box = (await stoppedInstance(off.admin, query, 'box')).id
  })
  afterAll(() => off.close())
  const message = 'multicast functionality is currently disabled'

  test('refuses joining', async () => {
    expect(await refusedJoin(box, 'news', {}, off.admin)).toBe(message)
    const body = smallInstance('other', { multicast_groups: [{ group: 'news' }] })
    expect((await off.admin.refusal('instance_create', { query, body })).message).toBe(message)
    const instance = await off.admin.call('instance_view', { params: { instance: box } })
    const update = { ...unchanged(instance), multicast_groups: [{ group: 'news' }] }
    const args = { params: { instance: box }, body: update as Wire.InstanceUpdate }
    expect((await off.admin.refusal('instance_update', args)).message).toBe(message)
    const none = {
      params: { instance: box },
      body: { ...unchanged(instance), multicast_groups: [] },
    }
    await off.admin.call('instance_update', none)
  })

  test('is reported to clients', async () => {
    expect(await off.admin.call('capabilities_view')).toMatchObject({ multicast: false })
    expect(await admin.call('capabilities_view')).toMatchObject({ multicast: true })
    expect((await off.admin.call('multicast_group_list')).items).toEqual([])
  })
})
