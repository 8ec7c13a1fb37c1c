/**
 * Permissions and their sources: `/x/v1/access`. The role matrix checks that the answers are right.
 */
import type { Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'

let server: TestServer
let admin: Caller
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
})
afterAll(() => server.close())

type Role = Wire.SiloRole
const fresh = (word: string) => `${word}-${crypto.randomUUID().slice(0, 8)}`
const userRole = (identity_id: string, role_name: Role) => ({
  identity_type: 'silo_user' as const,
  identity_id,
  role_name,
})
const groupRole = (identity_id: string, role_name: Role) => ({
  ...userRole(identity_id, role_name),
  identity_type: 'silo_group' as const,
})

async function newProject() {
  const name = fresh('project')
  const { id } = await admin.call('project_create', { body: { name, description: '' } })
  return { id, name }
}

/** A new silo, in which no other user has a role. */
async function newSilo(values: Partial<Wire.Silo> = {}) {
  const name = fresh('silo')
  const id = await server.createSilo(name, values)
  const boss = await server.createUser('boss', { silo: 'admin' }, id)
  return { id, name, boss, user: (who: string, grants = {}) => server.createUser(who, grants, id) }
}

const silent = (holder: Wire.AccessHolder) => [
  holder.user.display_name,
  ...holder.paths.map(
    ({ grant, group, counts_as }) =>
      `${grant}${group ? ` through ${group.display_name}` : ''}${counts_as === grant ? '' : ` as ${counts_as}`}`,
  ),
]

async function whoMay(
  caller: Caller,
  kind: Wire.ResourceKind,
  action: Wire.AccessAction,
  more: object = {},
) {
  const answer = await caller.call('access_list', { query: { kind, action, ...more } })
  return { ...answer, items: answer.items.map(silent) }
}

describe('the holders of a permission', () => {
  test('are listed by name, each with every source', async () => {
    const { id, boss, user } = await newSilo()
    const ana = await user('ana')
    const ben = await user('ben', { silo: 'collaborator' })
    await user('zoe', { silo: 'viewer' })
    const team = await server.createGroup('platform', [ana.id, ben.id], id)
    await server.grant({ id: team, type: 'silo_group' }, 'silo', id, 'admin')
    const { id: projectId } = await boss.caller.call('project_create', {
      body: { name: 'web', description: '' },
    })
    await server.grant(ana, 'project', projectId, 'admin')
    const answer = await whoMay(boss.caller, 'project', 'modify', { project: 'web' })
    expect(answer).toMatchObject({ total: 3, undisclosed: [] })
    expect(answer.items).toEqual([
      ['ana', 'project.admin', 'silo.admin through platform as project.admin'],
      ['ben', 'silo.admin through platform as project.admin', 'silo.collaborator as project.admin'],
      ['boss', 'silo.admin as project.admin'],
    ])
    const readers = await whoMay(boss.caller, 'instance', 'read', { project: 'web' })
    expect(readers.items.map(([name]) => name)).toEqual(['ana', 'ben', 'boss', 'zoe'])
    const found = await whoMay(boss.caller, 'instance', 'read', { project: 'web', search: 'BE' })
    expect(found.items.map(([name]) => name)).toEqual(['ben'])
  })

  test('are all users of the silo, where the matrix permits', async () => {
    const { boss, user } = await newSilo()
    const ana = await user('ana')
    const { items } = await whoMay(ana.caller, 'silo_user', 'list')
    expect(items).toEqual([
      ['ana', 'silo.user'],
      ['boss', 'silo.user'],
    ])
    expect((await whoMay(boss.caller, 'silo', 'modify')).items).toEqual([['boss', 'silo.admin']])
  })

  test('include fleet roles mapped from a silo, for callers who may see them', async () => {
    const { boss, user } = await newSilo({
      mapped_fleet_roles: { admin: ['viewer'], viewer: ['collaborator'] },
    })
    await user('ann', { silo: 'collaborator' })
    const answer = await whoMay(admin, 'fleet', 'create')
    expect(answer.items).toContainEqual(['ann', 'silo.collaborator as fleet.collaborator'])
    expect(answer.items).toContainEqual(['boss', 'silo.admin as fleet.collaborator'])
    // A caller without a role on the fleet only learns that there may be more.
    const outsider = await newSilo()
    const own = await whoMay(outsider.boss.caller, 'silo', 'modify')
    expect(own.undisclosed).toEqual(['fleet.collaborator'])
    expect(
      await outsider.boss.caller.refusal('access_list', {
        query: { kind: 'fleet', action: 'read' },
      }),
    ).toMatchObject({ status: 403 })
    expect(boss).toBeDefined()
  })

  test('exclude deleted users, and come in pages', async () => {
    const { boss, user, id } = await newSilo()
    const many: User[] = []
    for (let each = 0; each < 5; each++) many.push(await user(`user-${each}`))
    const group = await server.createGroup(
      'all',
      many.map((one) => one.id),
      id,
    )
    await server.grant({ id: group, type: 'silo_group' }, 'silo', id, 'viewer')
    await server.db
      .updateTable('silo_user')
      .set({ time_deleted: new Date().toISOString() })
      .where('id', '=', many[2]!.id)
      .execute()
    const names: string[] = []
    let page_token: string | null | undefined
    do {
      const page = await boss.caller.call('access_list', {
        query: page_token
          ? { page_token, limit: 2 }
          : { kind: 'silo_image', action: 'list', limit: 2 },
      })
      names.push(...page.items.map(({ user: { display_name } }) => display_name))
      page_token = page.next_page
    } while (page_token)
    expect(names).toEqual(['boss', 'user-0', 'user-1', 'user-3', 'user-4'])
    const backwards = await whoMay(boss.caller, 'silo_image', 'list', {
      sort_by: 'name_descending',
      limit: 2,
    })
    expect(backwards).toMatchObject({ total: 5 })
    expect(backwards.items.map(([name]) => name)).toEqual(['user-4', 'user-3'])
  })

  test('require a project exactly for kinds in projects', async () => {
    expect(
      await admin.refusal('access_list', { query: { kind: 'disk', action: 'read' } }),
    ).toMatchObject({ status: 400, message: 'project is required for kind disk' })
    expect(
      await admin.refusal('access_list', {
        query: { kind: 'silo', action: 'read', project: 'web' },
      }),
    ).toMatchObject({ status: 400, message: 'things of kind silo are not in a project' })
    expect(await admin.refusal('access_list', { query: { kind: 'silo' } })).toMatchObject({
      status: 400,
      message: 'unable to parse query string: missing field `action`',
    })
    const stranger = await server.createUser(fresh('stranger'))
    const { name } = await newProject()
    expect(
      await stranger.caller.refusal('access_list', {
        query: { kind: 'disk', action: 'read', project: name },
      }),
    ).toMatchObject({ status: 404, message: `not found: project with name "${name}"` })
  })
})

describe('the permissions of a user', () => {
  test('come with the roles that give them', async () => {
    const { id, boss, user } = await newSilo()
    const ana = await user('ana', { silo: 'viewer' })
    const { id: projectId } = await boss.caller.call('project_create', {
      body: { name: 'web', description: '' },
    })
    const team = await server.createGroup('team', [ana.id], id)
    await server.grant({ id: team, type: 'silo_group' }, 'project', projectId, 'collaborator')
    const params = { user_id: ana.id }
    const here = await ana.caller.call('user_access_view', { params, query: { project: 'web' } })
    expect(
      here.roles.map(({ grant, place, group }) => [grant, place.name, group?.display_name]),
    ).toEqual([
      ['silo.viewer', expect.any(String), undefined],
      ['project.collaborator', 'web', 'team'],
    ])
    expect(here.grants).toEqual([
      'silo.viewer',
      'project.collaborator',
      'project.limited_collaborator',
      'project.viewer',
      'silo.user',
      'any.user',
      'self',
    ])
    expect(here.permitted).toContainEqual({
      kind: 'vpc',
      actions: ['read', 'list', 'create', 'modify'],
    })
    expect(here.permitted).toContainEqual({ kind: 'project', actions: ['read', 'list', 'create'] })
    const everywhere = await boss.caller.call('user_access_view', { params })
    expect(everywhere.roles).toHaveLength(2)
    expect(everywhere).toMatchObject({ fleet_known: false, more_projects: 0 })
  })

  test('are limited to the policies that the caller may read', async () => {
    const { id, name } = await newProject()
    const ana = await server.createUser(fresh('ana'), {
      projects: { [id]: 'admin' },
      fleet: 'viewer',
    })
    const ben = await server.createUser(fresh('ben'))
    const params = { user_id: ana.id }
    const own = await ana.caller.call('user_access_view', { params })
    expect(own.roles.map(({ grant }) => grant)).toEqual(['fleet.viewer', 'project.admin'])
    const seen = await ben.caller.call('user_access_view', { params })
    expect(seen).toMatchObject({ roles: [], fleet_known: false })
    expect(seen.grants).toEqual(['silo.user', 'any.user', 'self'])
    expect(
      await ben.caller.refusal('user_access_view', { params, query: { project: name } }),
    ).toMatchObject({ status: 404 })
    const elsewhere = await newSilo()
    expect(await elsewhere.boss.caller.refusal('user_access_view', { params })).toMatchObject({
      status: 404,
    })
  })
})

describe('the preview of a change', () => {
  const told = ({ places }: Wire.AccessPreview) =>
    places.map(({ place, losses, total }) => [
      place.level,
      total,
      ...losses.map(({ user, before, after }) => `${user.display_name}: ${before} → ${after}`),
    ])

  test('to a project’s policy names the users who lose permissions', async () => {
    const { boss, user, id } = await newSilo()
    const ana = await user('ana')
    const ben = await user('ben', { silo: 'collaborator' })
    const cleo = await user('cleo')
    const team = await server.createGroup('team', [ana.id, ben.id, cleo.id], id)
    await boss.caller.call('project_create', { body: { name: 'web', description: '' } })
    const params = { project: 'web' }
    await boss.caller.call('project_policy_update', {
      params,
      body: { role_assignments: [groupRole(team, 'admin'), userRole(ana.id, 'viewer')] },
    })
    const preview = (role_assignments: object[]) =>
      boss.caller.call('access_preview', {
        body: { type: 'project_policy', project: 'web', policy: { role_assignments } },
      })
    // Ben is an admin of the project by his role on the silo.
    expect(told(await preview([userRole(ana.id, 'viewer')]))).toEqual([
      ['project', 2, 'ana: admin → viewer', 'cleo: admin → null'],
    ])
    expect(told(await preview([groupRole(team, 'admin')]))).toEqual([])
    // Nothing has been changed.
    expect(
      (await boss.caller.call('project_policy_view', { params })).role_assignments,
    ).toHaveLength(2)
    await boss.caller.call('project_policy_update', {
      params,
      body: { role_assignments: [userRole(ana.id, 'viewer')] },
    })
    const { grants } = await cleo.caller.call('user_access_view', { params: { user_id: cleo.id } })
    expect(grants).toEqual(['silo.user', 'any.user', 'self'])
  })

  test('to a silo’s policy includes its mapped fleet roles', async () => {
    const { boss, user } = await newSilo({ mapped_fleet_roles: { admin: ['admin'] } })
    const ana = await user('ana', { silo: 'admin' })
    const preview = await boss.caller.call('access_preview', {
      body: {
        type: 'silo_policy',
        policy: { role_assignments: [userRole(boss.id, 'admin'), userRole(ana.id, 'viewer')] },
      },
    })
    expect(told(preview)).toEqual([
      ['silo', 1, 'ana: admin → viewer'],
      ['fleet', 1, 'ana: admin → null'],
    ])
  })

  test('to a large group names some users and counts all', async () => {
    const { boss, user, id } = await newSilo()
    const ana = await user('ana', { silo: 'viewer' })
    const now = new Date().toISOString()
    const members = Array.from({ length: 3000 }, (_, each) => ({
      id: crypto.randomUUID(),
      silo_id: id,
      external_id: `m${each}`,
      display_name: `m${String(each).padStart(4, '0')}`,
      password_hash: null,
      time_created: now,
      time_modified: now,
      time_deleted: null,
    }))
    const group = await server.createGroup('crowd', [ana.id], id)
    for (let from = 0; from < members.length; from += 500) {
      const some = members.slice(from, from + 500)
      await server.db.insertInto('silo_user').values(some).execute()
      await server.db
        .insertInto('silo_group_membership')
        .values(some.map((one) => ({ group_id: group, user_id: one.id })))
        .execute()
    }
    await server.grant({ id: group, type: 'silo_group' }, 'silo', id, 'viewer')
    const deleted = await boss.caller.call('access_preview', {
      body: { type: 'group', group_id: group, members: null },
    })
    expect(deleted.places).toHaveLength(1)
    expect(deleted.places[0]).toMatchObject({ total: 3000, place: { level: 'silo' } })
    expect(deleted.places[0]!.losses).toHaveLength(20)
    const some = await boss.caller.call('access_preview', {
      body: { type: 'group', group_id: group, members: [members[7]!.id, ana.id] },
    })
    expect(told(some)).toEqual([['silo', 1, 'm0007: viewer → null']])
  })
})

test('that deletes a group excludes its roles everywhere', async () => {
  const { boss, user, id } = await newSilo({ mapped_fleet_roles: { viewer: ['viewer'] } })
  const ana = await user('ana')
  const ben = await user('ben', { silo: 'collaborator' })
  const team = await server.createGroup('team', [ana.id, ben.id], id)
  const group = { id: team, type: 'silo_group' } as const
  await server.grant(group, 'fleet', FLEET_ID, 'viewer')
  await server.grant(group, 'silo', id, 'viewer')
  await boss.caller.call('project_create', { body: { name: 'web', description: '' } })
  await boss.caller.call('project_policy_update', {
    params: { project: 'web' },
    body: { role_assignments: [groupRole(team, 'viewer')] },
  })
  const { places } = await boss.caller.call('access_preview', {
    body: { type: 'group', group_id: team, members: null },
  })
  // Ben keeps the permissions of his role on the silo, on the fleet and in the project.
  expect(
    places.map(({ place, losses }) => [
      place.level,
      ...losses.map(({ user: who, before, after }) => `${who.display_name}: ${before} → ${after}`),
    ]),
  ).toEqual([
    ['fleet', 'ana: viewer → null'],
    ['silo', 'ana: viewer → null'],
    ['project', 'ana: viewer → null'],
  ])
})

test('that deletes a user lists every place with a role', async () => {
  const { boss, user, id, name } = await newSilo({ mapped_fleet_roles: { viewer: ['viewer'] } })
  const ana = await user('ana')
  const ben = await user('ben', { silo: 'admin' })
  const team = await server.createGroup('team', [ana.id, ben.id], id)
  await server.grant({ id: team, type: 'silo_group' }, 'silo', id, 'viewer')
  await boss.caller.call('project_create', { body: { name: 'web', description: '' } })
  await boss.caller.call('project_policy_update', {
    params: { project: 'web' },
    body: { role_assignments: [userRole(ana.id, 'limited_collaborator')] },
  })
  const lost = async (caller: Caller, query: object = {}) =>
    (
      await caller.call('access_preview', { body: { type: 'user', user_id: ana.id, ...query } })
    ).places.map(({ place, losses, total }) => [place.level, place.name, total, losses[0]!.before])
  const all = [
    ['fleet', 'fleet', 1, 'viewer'],
    ['silo', name, 1, 'viewer'],
    ['project', 'web', 1, 'limited_collaborator'],
  ]
  expect(await lost(boss.caller)).toEqual(all)
  // Operators delete users of other silos, and only if they name the silo.
  expect(await lost(admin, { silo: name })).toEqual(all)
  const body = { type: 'user' as const, user_id: ana.id }
  expect(await admin.refusal('access_preview', { body })).toMatchObject({ status: 404 })
  expect(await ana.caller.refusal('access_preview', { body })).toMatchObject({ status: 403 })
})

describe('identities', () => {
  test('are found by part of their name, groups first', async () => {
    const { boss, user, id, name } = await newSilo()
    const ana = await user('Ana Smith')
    await user('50%_off!')
    await server.createGroup('smiths', [ana.id], id)
    const find = async (query: object) =>
      (await boss.caller.call('identity_list', { query })).items.map(
        ({ display_name, members }) => [display_name, members],
      )
    expect(await find({ search: 'SMITH' })).toEqual([
      ['smiths', 1],
      ['Ana Smith', null],
    ])
    expect(await find({ search: '%_' })).toEqual([['50%_off!', null]])
    expect(await find({ search: 'nobody' })).toEqual([])
    expect(await find({ ids: `${ana.id.toUpperCase()},${crypto.randomUUID()}` })).toEqual([
      ['Ana Smith', null],
    ])
    expect(await boss.caller.call('identity_list', { query: { limit: 2 } })).toMatchObject({
      more: true,
    })
    // Identities of another silo are not found.
    expect((await admin.call('identity_list', { query: { ids: ana.id } })).items).toEqual([])
    // An operator names the silo; others cannot.
    const theirs = { ids: ana.id, silo: name }
    expect((await admin.call('identity_list', { query: theirs })).items).toMatchObject([
      { display_name: 'Ana Smith' },
    ])
    const stranger = await (await newSilo()).user('stranger')
    expect(await stranger.caller.refusal('identity_list', { query: theirs })).toMatchObject({
      status: 404,
    })
    expect(await boss.caller.refusal('identity_list', { query: { ids: 'x' } })).toMatchObject({
      status: 400,
    })
  })
})

describe('the loss of the last admin is reported', () => {
  /** The levels that a change leaves without an admin, each once. */
  const left = async (caller: Caller, body: Wire.AccessChange) => {
    const { places } = await caller.call('access_preview', { body })
    return places.filter((each) => each.no_admin_left).map(({ place }) => place.level)
  }
  const deletion = ({ id: user_id }: Pick<User, 'id'>) => ({ type: 'user' as const, user_id })

  test('for a deleted user, as on the access page', async () => {
    const { boss, user, id, name } = await newSilo()
    expect(await left(boss.caller, deletion(boss))).toEqual(['silo'])
    const ana = await user('ana', { silo: 'admin' })
    expect(await left(boss.caller, deletion(boss))).toEqual([])
    await server.db
      .updateTable('silo_user')
      .set({ time_deactivated: new Date().toISOString() })
      .where('id', '=', ana.id)
      .execute()
    // An admin who may not sign in does not count.
    expect(await left(boss.caller, deletion(boss))).toEqual(['silo'])
    await boss.caller.call('project_create', { body: { name: 'web', description: '' } })
    const query = { project: 'web' }
    await server.grant(
      boss,
      'project',
      (await boss.caller.call('project_view', { params: query })).id,
      'viewer',
    )
    expect(await left(boss.caller, deletion(boss))).toEqual(['silo', 'project'])
    // A collaborator of the silo is an admin of its projects.
    await user('cleo', { silo: 'collaborator' })
    expect(await left(boss.caller, deletion(boss))).toEqual(['silo'])
    const other = { ...deletion(boss), silo: name }
    expect((await admin.call('access_preview', { body: other })).places[0]!.place.id).toBe(id)
    const policy = { type: 'silo_policy' as const, policy: { role_assignments: [] }, silo: name }
    expect(await left(admin, policy)).toEqual(['silo'])
    expect(
      await server.admin.refusal('access_preview', { body: { ...policy, silo: 'none' } }),
    ).toMatchObject({ status: 404 })
  })

  test('for a group, for some of its members, and for a policy', async () => {
    const { boss, user, id } = await newSilo()
    const [ana, ben] = [await user('ana'), await user('ben')]
    const team = await server.createGroup('admins', [ana.id, ben.id], id)
    const empty = await server.createGroup('empty', [], id)
    const policy = (...role_assignments: ReturnType<typeof userRole | typeof groupRole>[]) => ({
      type: 'silo_policy' as const,
      policy: { role_assignments },
    })
    expect(await left(boss.caller, policy(groupRole(team, 'admin')))).toEqual([])
    expect(await left(boss.caller, policy(groupRole(empty, 'admin')))).toEqual(['silo'])
    expect(await left(boss.caller, policy(userRole(boss.id, 'viewer')))).toEqual(['silo'])
    await boss.caller.call('policy_update', {
      body: { role_assignments: [groupRole(team, 'admin')] },
    })
    const leaving = (members: string[] | null) => ({
      type: 'group' as const,
      group_id: team,
      members,
    })
    expect(await left(ana.caller, leaving([ana.id]))).toEqual([])
    expect(await left(ana.caller, leaving([ana.id, ben.id]))).toEqual(['silo'])
    expect(await left(ana.caller, leaving(null))).toEqual(['silo'])
    expect(await left(ana.caller, deletion(ben))).toEqual([])
  })

  test('for the fleet, whose admins may be mapped from other silos', async () => {
    const { boss } = await newSilo()
    const fleet = (...role_assignments: ReturnType<typeof userRole>[]) => ({
      type: 'fleet_policy' as const,
      policy: { role_assignments: role_assignments as Wire.FleetRolePolicy['role_assignments'] },
    })
    // Mappings of other tests.
    await server.db.updateTable('silo').set({ mapped_fleet_roles: '{}' }).execute()
    expect(await left(admin, fleet(userRole(boss.id, 'viewer')))).toEqual(['fleet'])
    expect(await left(admin, fleet(userRole(boss.id, 'admin')))).toEqual([])
    const mapped = await newSilo({ mapped_fleet_roles: { admin: ['admin'] } })
    expect(await left(admin, fleet())).toEqual([])
    expect(await left(mapped.boss.caller, deletion(mapped.boss))).toEqual(['silo'])
  })
})
