/** Control plane specification section 9: both kinds of groups, by the same table of tests. */
import type { OperationId } from '@steading/api'
import type { InstanceState } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  await admin.call('project_create', { body: { name: 'elsewhere', description: '' } })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `thing-${count++}`
const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })
const missing = (what: string) => ({
  status: 404,
  error_code: 'ObjectNotFound',
  message: `not found: ${what}`,
})

async function stopped(values: object = {}, project = 'work') {
  const { id } = await admin.call('instance_create', {
    query: { project },
    body: smallInstance(fresh(), { network_interfaces: { type: 'none' }, ...values }),
  })
  return reaches(admin, id, 'stopped')
}

const groupBody = (name: string, policy = 'allow') => ({
  name,
  description: '',
  policy,
  failure_domain: 'sled',
})

interface Group {
  id: string
  name: string
  description: string
  policy: string
  time_modified: string
}
type Kind = 'affinity_group' | 'anti_affinity_group'

/** The calls of one kind of group. */
function callsOf(kind: Kind) {
  const id = (what: string) => `${kind}_${what}` as OperationId
  const call = (what: string, args: object = {}) =>
    admin.call(id(what), args as never) as Promise<unknown>
  const refusal = (what: string, args: object = {}) => admin.refusal(id(what), args as never)
  const named = (group: string) => ({ params: { [kind]: group } })
  const member = (group: string, instance: string) => ({ params: { [kind]: group, instance } })
  return {
    call,
    refusal,
    named,
    member,
    create: (name = fresh(), policy?: string, project = 'work') =>
      call('create', { query: { project }, body: groupBody(name, policy) }) as Promise<Group>,
    add: (group: string, instance: string) =>
      call('member_instance_add', member(group, instance)) as Promise<unknown>,
    refusedAdd: (group: string, instance: string) =>
      refusal('member_instance_add', member(group, instance)),
    members: async (group: string, search: object = {}) => {
      const page = await call('member_list', { ...named(group), query: search })
      return (page as { items: { value: { id: string; name: string } }[] }).items
    },
    groupsOf: async (instance: string) => {
      const page = await admin.call(`instance_${kind}_list`, { params: { instance } })
      return page.items.map(({ name }) => name)
    },
  }
}

const kinds = [
  ['affinity_group', 'affinity group', 'affinity-group'],
  ['anti_affinity_group', 'anti-affinity group', 'anti-affinity-group'],
] as const

describe.each(kinds)('%s', (kind, words, type) => {
  const { call, refusal, named, member, create, add, refusedAdd, members, groupsOf } = callsOf(kind)
  const Words = words[0]!.toUpperCase() + words.slice(1)

  test('can be created, found by name and id, changed and deleted', async () => {
    const name = fresh()
    const group = await create(name, 'fail')
    expect(group).toMatchObject({ name, policy: 'fail', failure_domain: 'sled', description: '' })
    expect(await call('view', named(group.id))).toEqual(group)
    expect(await call('view', { ...named(name), query })).toEqual(group)
    const changed = await call('update', {
      ...named(group.id),
      body: { name: fresh(), description: 'new' },
    })
    expect(changed).toMatchObject({ id: group.id, description: 'new', policy: 'fail' })
    await call('delete', named(group.id))
    expect(await refusal('view', named(group.id))).toEqual(missing(`${type} with id "${group.id}"`))
    expect(await refusal('view', { ...named(name), query })).toEqual(
      missing(`${type} with name "${name}"`),
    )
  })

  test('has a unique name among its kind in its project', async () => {
    const name = fresh()
    const group = await create(name)
    const refused = {
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: ${type} "${name}"`,
    }
    expect(await refusal('create', { query, body: groupBody(name) })).toEqual(refused)
    const other = await create()
    const rename = { ...named(other.id), body: { name } }
    expect(await refusal('update', rename)).toEqual(refused)
    await create(name, 'allow', 'elsewhere')
    const [opposite] = kinds.filter(([one]) => one !== kind)
    await callsOf(opposite![0]).create(name)
    await call('delete', named(group.id))
    expect(await call('update', rename)).toMatchObject({ id: other.id, name })
  })

  test.each([
    [{ policy: 'perhaps' }, 'policy: unknown variant `perhaps`, expected `allow` or `fail`'],
    [{ failure_domain: 'rack' }, 'failure_domain: unknown variant `rack`'],
  ])('with %j is refused', async (values, message) => {
    const body = { ...groupBody(fresh()), ...values }
    expect((await refusal('create', { query, body })).message).toContain(message)
  })

  test('lists its members by the name or id of the instance', async () => {
    const group = await create()
    const instances = [await stopped(), await stopped(), await stopped()]
    for (const { id } of instances) await add(group.id, id)
    const sorted = instances.map(({ name }) => name).toSorted()
    const names = async (search: object) =>
      (await members(group.id, search)).map(({ value }) => value.name)
    expect(await names({})).toEqual(sorted)
    expect(await names({ sort_by: 'name_descending' })).toEqual(sorted.toReversed())
    expect(
      (await members(group.id, { sort_by: 'id_ascending' })).map(({ value }) => value.id),
    ).toEqual(instances.map(({ id }) => id).toSorted())
    const first = (await call('member_list', { ...named(group.id), query: { limit: 2 } })) as {
      items: unknown[]
      next_page: string
    }
    expect(first.items).toHaveLength(2)
    const rest = await members(group.id, { page_token: first.next_page })
    expect(rest.map(({ value }) => value.name)).toEqual(sorted.slice(2))
  })

  test('adds a stopped instance, shows it and removes it', async () => {
    const group = await create()
    const instance = await stopped()
    const view = {
      type: 'instance',
      value: { id: instance.id, name: instance.name, run_state: 'stopped' },
    }
    expect(await add(group.id, instance.id)).toEqual(view)
    const byName = { ...member(group.name, instance.name), query }
    expect(await call('member_instance_view', byName)).toEqual(view)
    expect(await groupsOf(instance.id)).toEqual([group.name])
    expect(await refusedAdd(group.id, instance.id)).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: `already exists: ${type}-member "${instance.id}"`,
    })
    await call('member_instance_delete', byName)
    const gone = missing(`${type}-member with id "${instance.id}"`)
    for (const what of ['member_instance_view', 'member_instance_delete']) {
      expect(await refusal(what, member(group.id, instance.id))).toEqual(gone)
    }
    expect(await groupsOf(instance.id)).toEqual([])
  })

  test('refuses instances of other projects', async () => {
    const group = await create()
    const away = await stopped({}, 'elsewhere')
    expect(
      await refusal('member_instance_add', { ...member(group.name, away.name), query }),
    ).toEqual(missing(`instance with name "${away.name}"`))
    expect(await refusedAdd(group.id, away.id)).toEqual(missing(`instance with id "${away.id}"`))
  })

  const states: [InstanceState, boolean][] = [
    ['stopped', true],
    ['failed', true],
    ['creating', true],
    ['starting', false],
    ['running', false],
    ['stopping', false],
    ['rebooting', false],
    ['migrating', false],
    ['repairing', false],
  ]
  test.each(states)('can add an instance in state %s: %s', async (run_state, taken) => {
    const group = await create()
    const { id } = await stopped()
    await server.db
      .updateTable('instance')
      .set({ run_state, reconcile_at: null })
      .where('id', '=', id)
      .execute()
    if (taken) await add(group.id, id)
    else {
      expect(await refusedAdd(group.id, id)).toEqual(
        invalid(`Instance cannot be added to ${words} with reservation`),
      )
      await server.db
        .insertInto('affinity_group_member')
        .values({ group_id: group.id, instance_id: id })
        .execute()
    }
    // Removing is possible in any state.
    await call('member_instance_delete', member(group.id, id))
  })

  test('has at most 32 members, and an instance at most 16 groups', async () => {
    const group = await create()
    const { id } = await stopped()
    const others = Array.from({ length: 32 }, () => crypto.randomUUID())
    const join = (rows: { group_id: string; instance_id: string }[]) =>
      server.db.insertInto('affinity_group_member').values(rows).execute()
    await join(others.map((instance_id) => ({ group_id: group.id, instance_id })))
    const full = invalid(`${Words} already has maximum allowed members (32)`)
    expect(await refusedAdd(group.id, id)).toEqual(full)

    const groups: Group[] = []
    for (let n = 0; n < 17; n++) groups.push(await create())
    for (const one of groups.slice(0, 16)) await add(one.id, id)
    expect(await refusedAdd(groups[16]!.id, id)).toEqual(
      invalid(`Instance already belongs to maximum allowed ${words}s (16)`),
    )
    expect(await groupsOf(id)).toHaveLength(16)
    // The other kind has its own count.
    const [opposite] = kinds.filter(([one]) => one !== kind)
    const calls = callsOf(opposite![0])
    await calls.add((await calls.create()).id, id)
  })

  test('ends its memberships when it is deleted, and those of a deleted instance', async () => {
    const [one, two] = [await create(), await create()]
    const instance = await stopped()
    await add(one.id, instance.id)
    await add(two.id, instance.id)
    await call('delete', named(one.id))
    expect(await groupsOf(instance.id)).toEqual([two.name])
    await admin.call('instance_delete', { params: { instance: instance.id } })
    expect(await members(two.id)).toEqual([])
    const rows = await server.db
      .selectFrom('affinity_group_member')
      .selectAll()
      .where('instance_id', '=', instance.id)
      .execute()
    expect(rows).toEqual([])
  })

  test('emits events for its changes and those of its members', async () => {
    const group = await create()
    const instance = await stopped()
    await add(group.id, instance.id)
    await call('member_instance_delete', member(group.id, instance.id))
    await call('update', { ...named(group.id), body: { description: 'x' } })
    await call('delete', named(group.id))
    const events = await server.db
      .selectFrom('event')
      .select(['resource', 'action', 'resource_id'])
      .where('resource_id', 'in', [group.id, instance.id])
      .orderBy('id')
      .execute()
    const said = events.map(({ resource, action }) => `${resource} ${action}`)
    expect(said.filter((text) => text.startsWith(type))).toEqual([
      `${type}s create`,
      `${type}s update`,
      `${type}s update`,
      `${type}s update`,
      `${type}s delete`,
    ])
    const joined = said.indexOf(`${type}s update`)
    expect(said.slice(joined, joined + 4)).toEqual([
      `${type}s update`,
      'instances update',
      `${type}s update`,
      'instances update',
    ])
  })

  test('prevents the deletion of its project', async () => {
    const project = fresh()
    await admin.call('project_create', { body: { name: project, description: '' } })
    await server.db
      .updateTable('vpc')
      .set({ time_deleted: new Date().toISOString() })
      .where(
        'project_id',
        'in',
        server.db.selectFrom('project').select('id').where('name', '=', project),
      )
      .execute()
    const group = await create('cluster', 'allow', project)
    expect(await admin.refusal('project_delete', { params: { project } })).toEqual(
      invalid(`project to be deleted contains an ${words.replace('-', ' ')}: cluster`),
    )
    await call('delete', named(group.id))
    await admin.call('project_delete', { params: { project } })
  })
})

describe('a new instance can join anti-affinity groups', () => {
  const { create, members, groupsOf } = callsOf('anti_affinity_group')

  test('by name and id', async () => {
    const [one, two] = [await create(), await create()]
    // A group that is named twice is joined once.
    const { id } = await stopped({ anti_affinity_groups: [one.name, two.id, one.id] })
    expect((await groupsOf(id)).toSorted()).toEqual([one.name, two.name].toSorted())
    expect(await members(one.id)).toHaveLength(1)
  })

  test('once, however often they are named', async () => {
    const [one, two] = [await create(), await create()]
    const named = [one.name, one.id, two.id, one.name, two.id.toUpperCase()]
    const { id } = await stopped({ anti_affinity_groups: named })
    expect((await groupsOf(id)).toSorted()).toEqual([one.name, two.name].toSorted())
    expect(await members(one.id)).toHaveLength(1)
    expect(await members(two.id)).toHaveLength(1)
  })

  test('but not missing ones, and then is not created', async () => {
    const away = await create(fresh(), 'allow', 'elsewhere')
    const one = await create()
    const { name: affinity } = await callsOf('affinity_group').create()
    const refused = (anti_affinity_groups: string[]) =>
      admin.refusal('instance_create', {
        query,
        body: smallInstance('stillborn', { anti_affinity_groups }),
      })
    const type = 'anti-affinity-group'
    expect(await refused([one.name, 'nope'])).toEqual(missing(`${type} with name "nope"`))
    expect(await refused([away.id])).toEqual(missing(`${type} with id "${away.id}"`))
    expect(await refused([affinity])).toEqual(missing(`${type} with name "${affinity}"`))
    expect(await members(one.id)).toEqual([])
    expect(
      await admin.refusal('instance_view', { params: { instance: 'stillborn' }, query }),
    ).toMatchObject({ status: 404 })
  })
})
