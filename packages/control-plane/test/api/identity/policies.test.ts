/** Control plane specification 3.1 and 3.3: policies and their effect. */
import type { Wire } from '@steading/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Assignment = Wire.ProjectRoleRoleAssignment
const user = (identity_id: string, role_name: Assignment['role_name']): Assignment => ({
  identity_type: 'silo_user',
  identity_id,
  role_name,
})
const group = (identity_id: string, role_name: Assignment['role_name']): Assignment => ({
  ...user(identity_id, role_name),
  identity_type: 'silo_group',
})

let people = 0
/** The id of a new user of the first silo. */
const someone = async () => (await server.createUser(`someone-${people++}`)).id
const several = (count: number) => Promise.all(Array.from({ length: count }, someone))

async function newProject() {
  const name = `project-${crypto.randomUUID().slice(0, 8)}`
  const { id } = await server.admin.call('project_create', { body: { name, description: '' } })
  const params = { project: name }
  return {
    id,
    params,
    view: () => server.admin.call('project_policy_view', { params }),
    update: (role_assignments: Assignment[]) =>
      server.admin.call('project_policy_update', { params, body: { role_assignments } }),
    refusal: (role_assignments: unknown[]) =>
      server.admin.refusal('project_policy_update', { params, body: { role_assignments } }),
  }
}

describe('a policy', () => {
  test('is empty for a new project', async () => {
    expect(await (await newProject()).view()).toEqual({ role_assignments: [] })
  })

  test('is replaced as a whole, and sorted by role and identity', async () => {
    const { update, view } = await newProject()
    const [a, b] = (await several(2)).toSorted() as [string, string]
    const crowd = await server.createGroup('crowd', [a])
    const sorted = [
      user(a, 'admin'),
      user(b, 'admin'),
      group(crowd, 'collaborator'),
      user(a, 'viewer'),
    ]
    expect(await update(sorted.toReversed())).toEqual({ role_assignments: sorted })
    expect(await view()).toEqual({ role_assignments: sorted })
    await update([user(b, 'viewer')])
    expect(await view()).toEqual({ role_assignments: [user(b, 'viewer')] })
    await update([])
    expect(await view()).toEqual({ role_assignments: [] })
  })

  test('refuses identities that do not exist, or are in another silo', async () => {
    const { id, update, refusal, view } = await newProject()
    const other = await server.createSilo('elsewhere')
    const foreigner = (await server.createUser('foreigner', {}, other)).id
    const crowd = await server.createGroup('crowd elsewhere', [], other)
    const nobody = crypto.randomUUID()
    const mine = await someone()
    for (const [wanted, message] of [
      [user(nobody, 'viewer'), `there is no user with id ${nobody}`],
      [user(foreigner, 'viewer'), `there is no user with id ${foreigner}`],
      [group(crowd, 'viewer'), `there is no group with id ${crowd}`],
      [group(mine, 'viewer'), `there is no group with id ${mine}`],
    ] as const) {
      expect(await refusal([user(mine, 'admin'), wanted])).toEqual({
        status: 400,
        error_code: 'InvalidValue',
        message: `unsupported value for "role_assignments": ${message}`,
      })
    }
    expect(await view()).toEqual({ role_assignments: [] })
    // On the fleet, users of all silos may have roles.
    const fleet = await server.admin.call('system_policy_view')
    const given = { ...user(foreigner, 'viewer'), role_name: 'viewer' as const }
    await server.admin.call('system_policy_update', {
      body: { role_assignments: [...fleet.role_assignments, given] },
    })
    await server.admin.call('system_policy_update', { body: fleet })
    // A deleted user stays in the policy until somebody removes them.
    const gone = user(nobody, 'viewer')
    await server.db
      .insertInto('role_assignment')
      .values({ ...gone, resource_type: 'project', resource_id: id })
      .execute()
    expect((await update([gone, user(mine, 'viewer')])).role_assignments).toHaveLength(2)
    expect((await update([user(mine, 'viewer')])).role_assignments).toHaveLength(1)
    expect((await refusal([gone])).status).toBe(400)
  })

  test('writes identities in canonical form', async () => {
    const { update } = await newProject()
    const id = await someone()
    expect(await update([user(id.toUpperCase(), 'viewer')])).toEqual({
      role_assignments: [user(id, 'viewer')],
    })
  })

  test('lists everything once, and a refused change changes nothing', async () => {
    const { update, refusal, view } = await newProject()
    const id = await someone()
    await update([user(id, 'viewer')])
    expect(await refusal([user(id, 'admin'), user(id, 'admin')])).toMatchObject({
      status: 400,
      error_code: 'InvalidValue',
    })
    expect(await refusal([user(id, 'admin'), user(id.toUpperCase(), 'admin')])).toMatchObject({
      status: 400,
    })
    expect(await view()).toEqual({ role_assignments: [user(id, 'viewer')] })
  })

  test('holds at most 64 assignments', async () => {
    const { update, refusal } = await newProject()
    const many = (await several(65)).map((id) => user(id, 'viewer'))
    expect((await update(many.slice(1))).role_assignments).toHaveLength(64)
    const { status, message } = await refusal(many)
    expect(status).toBe(400)
    expect(message).toMatch(
      /^unable to parse JSON body: role_assignments: invalid length 65, expected a list of at most 64 role assignments at line 1 column \d+$/,
    )
  })

  test('accepts the roles of its level', async () => {
    const { refusal } = await newProject()
    const message = (role: string) =>
      `unable to parse JSON body: role_assignments[0].role_name: unknown variant \`${role}\`, expected one of `
    expect((await refusal([user(crypto.randomUUID(), 'owner' as never)])).message).toContain(
      message('owner'),
    )
    const fleet = await server.admin.refusal('system_policy_update', {
      body: { role_assignments: [user(crypto.randomUUID(), 'limited_collaborator')] },
    })
    expect(fleet.message).toContain(message('limited_collaborator'))
  })

  test('is deleted with its project', async () => {
    const { id, params, update } = await newProject()
    await update([user(await someone(), 'viewer')])
    await server.db
      .updateTable('vpc')
      .set({ time_deleted: new Date().toISOString() })
      .where('project_id', '=', id)
      .execute()
    await server.admin.call('project_delete', { params })
    await server.admin.call('project_create', { body: { name: params.project, description: '' } })
    expect(await server.admin.call('project_policy_view', { params })).toEqual({
      role_assignments: [],
    })
  })
})

describe('roles', () => {
  const seen = async (caller: TestServer['admin'], project: string) =>
    (await caller.send('GET', `/v1/projects/${project}`)).status

  test('take effect with the next call, and end with it', async () => {
    const { params, update } = await newProject()
    const { id, caller } = await server.createUser(`next-${crypto.randomUUID().slice(0, 8)}`)
    expect(await seen(caller, params.project)).toBe(404)
    await update([user(id, 'viewer')])
    expect(await seen(caller, params.project)).toBe(200)
    const body = { description: 'mine' }
    expect(await caller.refusal('project_update', { params, body })).toMatchObject({ status: 403 })
    await update([user(id, 'admin')])
    expect(await caller.call('project_update', { params, body })).toMatchObject(body)
    // Nothing prevents people from locking themselves out.
    await caller.call('project_policy_update', { params, body: { role_assignments: [] } })
    expect(await seen(caller, params.project)).toBe(404)
  })

  test('come from groups as well as from one’s own assignments', async () => {
    const { params, update } = await newProject()
    const { id, caller } = await server.createUser(`member-${crypto.randomUUID().slice(0, 8)}`)
    const readers = await server.createGroup(`readers-${id}`, [id])
    const others = await server.createGroup(`others-${id}`, [])
    await update([group(readers, 'viewer'), group(others, 'admin')])
    expect(await seen(caller, params.project)).toBe(200)
    const body = { description: 'x' }
    expect(await caller.refusal('project_update', { params, body })).toMatchObject({ status: 403 })
    await update([group(readers, 'viewer'), user(id, 'admin')])
    expect(await caller.call('project_update', { params, body })).toMatchObject(body)
  })

  test('on the silo apply to every project, including new ones', async () => {
    const { caller } = await server.createUser(`silo-${crypto.randomUUID().slice(0, 8)}`, {
      silo: 'collaborator',
    })
    const { params } = await newProject()
    expect(
      await caller.call('project_update', { params, body: { description: 'x' } }),
    ).toMatchObject({ description: 'x' })
    expect((await caller.call('policy_view')).role_assignments).not.toEqual([])
  })

  test('in one silo have no effect in another', async () => {
    const { id, params } = await newProject()
    const siloId = await server.createSilo(`silo-${id.slice(0, 8)}`)
    const stranger = await server.createUser('stranger', { silo: 'admin' }, siloId)
    // Even when present in the policy, as in databases of earlier versions.
    await server.db
      .insertInto('role_assignment')
      .values({ ...user(stranger.id, 'admin'), resource_type: 'project', resource_id: id })
      .execute()
    expect(await seen(stranger.caller, id)).toBe(404)
    expect(await stranger.caller.refusal('project_view', { params })).toMatchObject({
      message: `not found: project with name "${params.project}"`,
    })
  })

  test('on a silo may be mapped to fleet roles', async () => {
    const siloId = await server.createSilo('operators', {
      mapped_fleet_roles: { admin: ['collaborator'], viewer: ['viewer'] },
    })
    const boss = await server.createUser('boss', { silo: 'admin' }, siloId)
    const clerk = await server.createUser('clerk', { silo: 'collaborator' }, siloId)
    const guest = await server.createUser('guest', {}, siloId)
    const fleetViewer = async ({ caller }: typeof boss) =>
      (await caller.call('current_user_view')).fleet_viewer
    // A collaborator is also a viewer.
    expect(await Promise.all([boss, clerk, guest].map(fleetViewer))).toEqual([true, true, false])
    // Collaborators of the fleet may change any silo; viewers may not.
    expect(await boss.caller.call('current_user_view')).toMatchObject({ silo_admin: true })
    expect(await clerk.caller.call('current_user_view')).toMatchObject({ silo_admin: false })
  })
})

test('fleet, silo and project have separate policies', async () => {
  const { id } = await server.createUser('three-levels')
  const { update, view } = await newProject()
  const fleet = await server.admin.call('system_policy_view')
  const silo = await server.admin.call('policy_view')
  await update([user(id, 'collaborator')])
  await server.admin.call('policy_update', {
    body: { role_assignments: [...silo.role_assignments, user(id, 'viewer')] },
  })
  expect(await view()).toEqual({ role_assignments: [user(id, 'collaborator')] })
  expect((await server.admin.call('policy_view')).role_assignments).toContainEqual(
    user(id, 'viewer'),
  )
  expect(await server.admin.call('system_policy_view')).toEqual(fleet)
})

test('the policy of a silo is also found by its name', async () => {
  const id = await server.createSilo('by-name')
  const boss = await server.createUser('boss', { silo: 'admin' }, id)
  const params = { silo: 'by-name' }
  const { role_assignments } = await server.admin.call('silo_policy_view', { params })
  expect(role_assignments).toEqual([user(boss.id, 'admin')])
  const reader = await server.createUser('reader', {}, id)
  const next = { role_assignments: [user(boss.id, 'admin'), user(reader.id, 'viewer')] }
  await server.admin.call('silo_policy_update', { params, body: next })
  expect(await boss.caller.call('policy_view')).toEqual(next)
})

describe('concurrent changes', () => {
  test('leave one of the two policies, unmixed', async () => {
    const { update, view } = await newProject()
    const everybody = await several(40)
    const policies = Array.from({ length: 8 }, (_, index) =>
      everybody.slice(5 * index, 5 * index + 5).map((id) => user(id, 'viewer')),
    )
    await Promise.all(policies.map((policy) => update(policy)))
    const { role_assignments } = await view()
    const ids = (some: Assignment[]) => some.map(({ identity_id }) => identity_id).sort()
    expect(policies.map(ids)).toContainEqual(ids(role_assignments))
  })

  test('do not undo each other if the clients use if-match', async () => {
    const { params, update, view } = await newProject()
    const path = `/v1/projects/${params.project}/policy`
    const put = async (etag: string, policy: Assignment[]) => {
      const answer = await server.admin.send('PUT', path, {
        body: { role_assignments: policy },
        headers: { 'if-match': etag },
      })
      return [answer.status, (answer.body as { error_code?: string }).error_code]
    }
    const etag = (await server.admin.send('GET', path)).headers.get('etag')!
    const [mine, other] = [user(await someone(), 'viewer'), user(await someone(), 'admin')]
    const outcomes = await Promise.all([put(etag, [mine]), put(etag, [other])])
    expect(outcomes.toSorted()).toEqual([
      [200, undefined],
      [412, 'PreconditionFailed'],
    ])
    const kept = await view()
    expect(await put('W/"of another policy"', [])).toEqual([412, 'PreconditionFailed'])
    expect(await view()).toEqual(kept)
    expect(await put('*', [mine, other])).toEqual([200, undefined])
    const now = (await server.admin.send('GET', path)).headers.get('etag')!
    expect(await put(`W/"x", ${now}`, [other])).toEqual([200, undefined])
    // Without if-match, clients replace the policy as before.
    await update([mine])
  })
})
