/** Control plane specification 2.3, 4.1, 4.3 and 4.6: users and groups of a silo, and its usage. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detachedDisk } from '../support/things.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'

let server: TestServer
let alice: User
let bob: User
let stranger: User
let elsewhere: string
beforeAll(async () => {
  server = await startTestServer()
  elsewhere = await server.createSilo('elsewhere')
  alice = await server.createUser('alice', { silo: 'viewer' })
  bob = await server.createUser('bob')
  stranger = await server.createUser('stranger', { silo: 'admin' }, elsewhere)
})
afterAll(() => server.close())

const gone = (time_deleted = new Date().toISOString()) => ({ time_deleted })
const missing = (type: string, id: string) => ({
  status: 404,
  error_code: 'ObjectNotFound',
  message: `not found: ${type} with id "${id}"`,
})

describe('the caller', () => {
  test('sees their own identity', async () => {
    const me = await bob.caller.call('current_user_view')
    expect(me).toEqual({
      id: bob.id,
      display_name: 'bob',
      silo_id: server.siloId,
      silo_name: 'main',
      fleet_viewer: false,
      silo_admin: false,
      time_created: me.time_created,
      time_modified: me.time_modified,
    })
    expect(await stranger.caller.call('current_user_view')).toMatchObject({
      silo_id: elsewhere,
      silo_name: 'elsewhere',
      silo_admin: true,
    })
  })

  test.each([
    [{}, false, false],
    [{ silo: 'viewer' }, false, false],
    [{ silo: 'collaborator' }, false, false],
    [{ silo: 'admin' }, false, true],
    [{ fleet: 'viewer' }, true, false],
    // May modify any silo.
    [{ fleet: 'collaborator' }, true, true],
    [{ fleet: 'admin' }, true, true],
  ] as const)(
    'with %j: fleet viewer %s, silo admin %s',
    async (grants, fleet_viewer, silo_admin) => {
      const { caller } = await server.createUser(`me-${crypto.randomUUID()}`, grants)
      expect(await caller.call('current_user_view')).toMatchObject({ fleet_viewer, silo_admin })
    },
  )

  test('sees their own groups', async () => {
    const ids = [
      await server.createGroup('one', [bob.id]),
      await server.createGroup('two', [bob.id, alice.id]),
    ]
    await server.createGroup('three', [alice.id])
    const former = await server.createGroup('former', [bob.id])
    await server.db.updateTable('silo_group').set(gone()).where('id', '=', former).execute()
    const { items } = await bob.caller.call('current_user_groups')
    expect(items.map(({ id }) => id)).toEqual(ids.toSorted())
    expect(items.map(({ display_name }) => display_name).sort()).toEqual(['one', 'two'])
  })
})

describe('users', () => {
  test('see all users of their silo and no others', async () => {
    const { items } = await bob.caller.call('user_list')
    const ids = items.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
    expect(ids).toEqual(expect.arrayContaining([alice.id, bob.id]))
    expect(ids).not.toContain(stranger.id)
    expect((await stranger.caller.call('user_list')).items).toEqual([
      await stranger.caller.call('user_view', { params: { user_id: stranger.id } }),
    ])
  })

  test('find each other by id', async () => {
    const params = { user_id: alice.id }
    const found = await bob.caller.call('user_view', { params })
    expect(found).toMatchObject({ id: alice.id, display_name: 'alice', silo_id: server.siloId })
    expect(
      await bob.caller.call('user_view', { params: { user_id: alice.id.toUpperCase() } }),
    ).toEqual(found)
    expect(await bob.caller.refusal('user_view', { params: { user_id: stranger.id } })).toEqual(
      missing('silo-user', stranger.id),
    )
  })

  test('disappear when they are deleted', async () => {
    const { id } = await server.createUser('leaver')
    await server.db.updateTable('silo_user').set(gone()).where('id', '=', id).execute()
    const { items } = await bob.caller.call('user_list')
    expect(items.map((user) => user.id)).not.toContain(id)
    expect(await bob.caller.refusal('user_view', { params: { user_id: id } })).toEqual(
      missing('silo-user', id),
    )
  })

  test('can be listed by group', async () => {
    const group = await server.createGroup('listed', [alice.id, bob.id])
    const { items } = await bob.caller.call('user_list', { query: { group } })
    expect(items.map(({ id }) => id)).toEqual([alice.id, bob.id].toSorted())
    const first = await bob.caller.call('user_list', { query: { group, limit: 1 } })
    const second = await bob.caller.call('user_list', { query: { page_token: first.next_page! } })
    expect([...first.items, ...second.items]).toEqual(items)
    const foreign = await server.createGroup('foreign', [stranger.id], elsewhere)
    expect(await bob.caller.refusal('user_list', { query: { group: foreign } })).toEqual(
      missing('silo-group', foreign),
    )
  })
})

test("groups belong to one's silo", async () => {
  const own = await server.createGroup('own', [])
  const foreign = await server.createGroup('not-ours', [], elsewhere)
  const { items } = await bob.caller.call('group_list')
  const ids = items.map(({ id }) => id)
  expect(ids).toContain(own)
  expect(ids).not.toContain(foreign)
  expect(await bob.caller.call('group_view', { params: { group_id: own } })).toMatchObject({
    id: own,
    display_name: 'own',
    silo_id: server.siloId,
  })
  expect(await bob.caller.refusal('group_view', { params: { group_id: foreign } })).toEqual(
    missing('silo-group', foreign),
  )
})

describe('silos', () => {
  test('are listed if they are discoverable, and found by name in any case', async () => {
    const id = await server.createSilo('hidden', {
      discoverable: false,
      mapped_fleet_roles: { admin: ['viewer'] },
    })
    const { items } = await server.admin.call('silo_list')
    expect(items.map(({ name }) => name)).toEqual(['elsewhere', 'main'])
    for (const silo of ['hidden', id]) {
      expect(await server.admin.call('silo_view', { params: { silo } })).toMatchObject({
        id,
        name: 'hidden',
        identity_mode: 'local_only',
        discoverable: false,
        mapped_fleet_roles: { admin: ['viewer'] },
      })
    }
  })

  test('are visible to their members', async () => {
    const view = (silo: string) => bob.caller.send('GET', `/v1/system/silos/${silo}`)
    expect(await view('main')).toMatchObject({ status: 200, body: { id: server.siloId } })
    expect(await view('elsewhere')).toMatchObject({
      status: 404,
      body: { message: 'not found: silo with name "elsewhere"' },
    })
    expect((await view(elsewhere)).body).toMatchObject({
      message: `not found: silo with id "${elsewhere}"`,
    })
  })
})

describe('IP pools', () => {
  test('are listed if they are linked to the silo', async () => {
    const time = new Date().toISOString()
    const pool = (name: string, ip_version: 'v4' | 'v6', pool_type: 'unicast' | 'multicast') => ({
      id: crypto.randomUUID(),
      ...named(name),
      description: '',
      time_created: time,
      time_modified: time,
      time_deleted: null,
      ip_version,
      pool_type,
    })
    const [six, many, foreign] = [
      pool('six', 'v6', 'unicast'),
      pool('many', 'v4', 'multicast'),
      pool('foreign', 'v4', 'unicast'),
    ] as const
    await server.db.insertInto('ip_pool').values([six, many, foreign]).execute()
    await server.db
      .insertInto('ip_pool_silo_link')
      .values([
        { ip_pool_id: six.id, silo_id: server.siloId, is_default: 0 },
        { ip_pool_id: many.id, silo_id: server.siloId, is_default: 0 },
        { ip_pool_id: foreign.id, silo_id: elsewhere, is_default: 1 },
      ])
      .execute()
    const names = async (query: object) =>
      (await alice.caller.call('ip_pool_list', { query })).items.map(({ name }) => name)
    expect(await names({})).toEqual(['default', 'many', 'six'])
    expect(await names({ sort_by: 'name_descending', limit: 2 })).toEqual(['six', 'many'])
    expect(await names({ ip_version: 'v6' })).toEqual(['six'])
    expect(await names({ ip_version: 'v4', pool_type: 'unicast' })).toEqual(['default'])

    for (const selector of ['six', six.id]) {
      expect(await bob.caller.call('ip_pool_view', { params: { pool: selector } })).toMatchObject({
        id: six.id,
        ip_version: 'v6',
        pool_type: 'unicast',
        is_default: false,
      })
    }
    expect(await bob.caller.call('ip_pool_view', { params: { pool: 'default' } })).toMatchObject({
      is_default: true,
    })
    expect(await bob.caller.refusal('ip_pool_view', { params: { pool: 'foreign' } })).toMatchObject(
      { message: 'not found: ip-pool with name "foreign"' },
    )
    expect(await bob.caller.refusal('ip_pool_view', { params: { pool: foreign.id } })).toEqual(
      missing('ip-pool', foreign.id),
    )
    expect(
      await stranger.caller.call('ip_pool_view', { params: { pool: 'foreign' } }),
    ).toMatchObject({ is_default: true })
  })
})

test("utilization counts the usage of one's own silo", async () => {
  const GiB = 2 ** 30
  const { caller } = stranger
  const empty = { cpus: 0, memory: 0, storage: 0 }
  const capacity = { cpus: 16, memory: 2 ** 36, storage: 2 ** 40 }
  expect(await caller.call('utilization_view')).toEqual({ provisioned: empty, capacity })
  await caller.call('project_create', { body: { name: 'web', description: '' } })
  const query = { project: 'web' }
  await detachedDisk(caller, query, 'data', { size: 3 * GiB })
  expect(await caller.call('utilization_view')).toEqual({
    provisioned: { ...empty, storage: 3 * GiB },
    capacity,
  })
  await caller.call('disk_delete', { params: { disk: 'data' }, query })
  expect(await caller.call('utilization_view')).toEqual({ provisioned: empty, capacity })
})

describe('images and snapshots', () => {
  test('images belong to a project or to the silo; both may have the same name', async () => {
    const { id } = await server.admin.call('project_create', {
      body: { name: 'pictures', description: '' },
    })
    const ours = await server.createImage('plan9', id)
    const shared = await server.createImage('plan9', null)
    const foreign = await server.createImage('foreign', null, elsewhere)
    const view = (selector: string, query: object = {}) =>
      server.admin.call('image_view', { params: { image: selector }, query })
    expect(await view('plan9')).toEqual({
      id: shared.id,
      name: 'plan9',
      description: '',
      project_id: null,
      os: 'Plan 9',
      version: '4',
      size: 2 ** 30,
      block_size: 4096,
      digest: null,
      time_created: shared.time_created,
      time_modified: shared.time_modified,
    })
    const mine = await view('plan9', { project: 'pictures' })
    expect(mine).toMatchObject({ id: ours.id, project_id: id })
    expect(await view(ours.id)).toEqual(mine)
    expect(await view(shared.id)).toMatchObject({ project_id: null })

    const list = async (query: object = {}) =>
      (await server.admin.call('image_list', { query })).items.map((item) => item.id)
    expect(await list({ project: 'pictures' })).toEqual([ours.id])
    const silo = await list()
    expect(silo).toContain(shared.id)
    expect(silo).not.toContain(ours.id)
    expect(silo).not.toContain(foreign.id)
    for (const selector of ['foreign', foreign.id]) {
      expect(
        await server.admin.refusal('image_view', { params: { image: selector } }),
      ).toMatchObject({ status: 404 })
    }
  })

  test('snapshots survive their disks', async () => {
    const { id } = await server.admin.call('project_create', {
      body: { name: 'copies', description: '' },
    })
    const snapshot = await server.createSnapshot('copy', id)
    const inner = [
      'time_deleted',
      'block_size',
      'has_volume',
      'name_key',
      'consistency',
      'storage_pool_id',
    ]
    const hidden = new Set([...inner, 'reconcile_at', ...Object.keys(unclaimed)])
    const shown = Object.fromEntries(Object.entries(snapshot).filter(([key]) => !hidden.has(key)))
    expect(
      await server.admin.call('snapshot_view', {
        params: { snapshot: 'copy' },
        query: { project: 'copies' },
      }),
    ).toEqual(shown)
    expect(
      (await server.admin.call('snapshot_list', { query: { project: 'copies' } })).items,
    ).toEqual([shown])
  })
})
