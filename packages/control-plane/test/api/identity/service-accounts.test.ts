/** Service accounts: users of a project or a silo without a person. */
import type { Wire } from '@steading/api'
import { accessMessages, consoleEndings, serviceAccountMessages } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { viewConsole } from '../../support/console.ts'
import { EventStream } from '../../support/event-stream.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { plan, runJob, targets } from '../../support/jobs.ts'
import { createProvider } from '../../support/scim.ts'
import { detachedDisk, reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }
const projects: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  for (const name of ['work', 'other']) {
    const { id } = await admin.call('project_create', { body: { name, description: '' } })
    projects[name] = id
  }
})
afterAll(() => server.close())

let count = 0
const create = (project: string | undefined, caller = admin): Promise<Wire.ServiceAccount> =>
  caller.call('service_account_create', {
    query: { project },
    body: { name: `robot-${count++}`, description: '' },
  })
async function tokenOf({ id }: { id: string }, caller = admin, values: object = {}) {
  const body = { name: `token-${count++}`, access: 'full' as const, ...values }
  const params = { service_account: id }
  const made = await caller.call('service_account_token_create', { params, body })
  return Object.assign(server.anonymous.withToken(made.token), { made })
}
/** Adds a role to the policy of a project. */
async function grant(id: string, project: string, role_name: Wire.ProjectRole, caller = admin) {
  const params = { project }
  const { role_assignments } = await caller.call('project_policy_view', { params })
  const added = { identity_type: 'silo_user' as const, identity_id: id, role_name }
  await caller.call('project_policy_update', {
    params,
    body: { role_assignments: [...role_assignments, added] },
  })
}
const forbidden = { status: 403, error_code: 'Forbidden' }

describe('a service account of a project', () => {
  test('is made by an admin of the project, with a token that acts there alone', async () => {
    const { caller: lead } = await server.createUser('lead', {
      projects: { [projects.work!]: 'admin' },
    })
    const robot = await create('work', lead)
    const ci = await tokenOf(robot, lead)
    expect(await ci.call('current_user_view')).toMatchObject({
      id: robot.id,
      display_name: robot.name,
    })
    expect(await ci.refusal('disk_list', { query })).toMatchObject({ status: 404 })
    await grant(robot.id, 'work', 'collaborator', lead)
    const disk = await detachedDisk(ci, query, 'by-robot')
    const [entry] = (
      await admin.call('audit_entry_list', { query: { operation: 'disk_create', limit: 1 } })
    ).items
    expect(entry).toMatchObject({
      user: { id: robot.id, display_name: robot.name },
      target: { id: disk.id },
    })
    // A role elsewhere is refused, and would not count.
    const refused = await admin.refusal('project_policy_update', {
      params: { project: 'other' },
      body: {
        role_assignments: [
          { identity_type: 'silo_user', identity_id: robot.id, role_name: 'viewer' },
        ],
      },
    })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.message).toContain(serviceAccountMessages.onlyInProject(robot.name))
    await server.grant({ id: robot.id }, 'project', projects.other!, 'admin')
    await server.grant({ id: robot.id }, 'silo', server.siloId, 'admin')
    await server.grant({ id: robot.id }, 'fleet', '', 'admin')
    expect(await ci.refusal('disk_list', { query: { project: 'other' } })).toMatchObject({
      status: 404,
    })
    expect(await ci.refusal('project_list')).toMatchObject(forbidden)
    expect(await ci.refusal('silo_list')).toMatchObject(forbidden)
  })

  test('has nothing of its own, and makes no tokens for itself', async () => {
    const ci = await tokenOf(await create('work'))
    const body = { name: 'more', access: 'full' as const }
    expect(await ci.refusal('current_user_access_token_create', { body })).toMatchObject(forbidden)
    expect(await ci.refusal('current_user_password_view')).toMatchObject(forbidden)
    expect(await ci.refusal('star_list')).toMatchObject(forbidden)
  })

  test('cannot sign in, be in a group, or be treated as a user with a password', async () => {
    const { id, name } = await create('work')
    const params = { user_id: id }
    const silo = { silo: 'main' }
    expect(
      await admin.refusal('local_idp_user_set_password', {
        params,
        query: silo,
        body: { mode: 'password', value: 'a very long password indeed' },
      }),
    ).toMatchObject({ status: 404 })
    expect(await admin.refusal('local_idp_user_delete', { params, query: silo })).toMatchObject({
      status: 404,
    })
    const { id: group } = await admin.call('group_create', { body: { display_name: 'crew' } })
    expect(
      await admin.refusal('group_members_update', {
        params: { group_id: group },
        body: { add: [id], remove: [] },
      }),
    ).toMatchObject({ status: 400, message: serviceAccountMessages.inNoGroup(name) })
    const signIn = { body: { username: name, password: 'a very long password indeed' } }
    const answer = await server.anonymous.send('POST', '/v1/login/main/local', signIn)
    expect(answer.status).toBe(401)
    expect((await admin.call('user_list', { query: { limit: 1000 } })).items).toContainEqual(
      expect.objectContaining({ id, display_name: name }),
    )
    const people = await admin.call('user_details_list', { query: { limit: 1000 } })
    expect(people.items.map((user) => user.id)).not.toContain(id)
    const found = await admin.call('identity_list', { query: { search: name } })
    expect(found.items).toEqual([
      { id, display_name: name, type: 'silo_user', members: null, service: true },
    ])
  })

  test('loses its streams and consoles with its token', async () => {
    const body = smallInstance('box', { start: true })
    const instance = await admin.call('instance_create', { query, body })
    await reaches(admin, instance.id, 'running')
    const robot = await create('work')
    await grant(robot.id, 'work', 'collaborator')
    const ci = await tokenOf(robot)
    const stream = new EventStream(await ci.fetch('/x/v1/events'))
    await stream.block()
    const viewer = viewConsole(server.url, ci, instance.id)
    await viewer.opened
    const closed = new Promise<[number, string]>((resolve) => {
      viewer.socket.once('close', (code, reason) => resolve([code, reason.toString()]))
    })
    const params = { service_account: robot.id, token_id: ci.made.id }
    await admin.call('service_account_token_delete', { params })
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
    for (let next = await stream.next(); next; next = await stream.next());
    expect(await admin.refusal('service_account_token_delete', { params })).toMatchObject({
      status: 404,
    })
  })

  test('ends with its deletion: tokens, roles, and its name in pickers', async () => {
    const robot = await create('work')
    await grant(robot.id, 'work', 'viewer')
    const ci = await tokenOf(robot)
    await ci.call('disk_list', { query })
    const params = { service_account: robot.id }
    await admin.call('service_account_delete', { params })
    expect(await ci.refusal('current_user_view')).toMatchObject({ status: 401 })
    expect(await admin.refusal('service_account_view', { params })).toMatchObject({ status: 404 })
    const policy = await admin.call('project_policy_view', { params: { project: 'work' } })
    expect(JSON.stringify(policy)).not.toContain(robot.id)
    const found = await admin.call('identity_list', { query: { search: robot.name } })
    expect(found.items).toEqual([])
    // The name is free again.
    await admin.call('service_account_create', {
      query,
      body: { name: robot.name, description: '' },
    })
  })

  test('ends with its project', async () => {
    const body = { name: 'passing', description: '' }
    const { id } = await admin.call('project_create', { body })
    const ci = await tokenOf(await create('passing'))
    const within = { project: 'passing', vpc: 'default' }
    await admin.call('vpc_subnet_delete', { params: { subnet: 'default' }, query: within })
    await admin.call('vpc_delete', { params: { vpc: 'default' }, query: { project: 'passing' } })
    await admin.call('project_delete', { params: { project: id } })
    expect(await ci.refusal('current_user_view')).toMatchObject({ status: 401 })
  })

  test('is renamed with its user, and keeps its name from others in the project', async () => {
    const [one, two] = [await create('work'), await create('work')]
    const params = { service_account: one.id }
    expect(
      await admin.refusal('service_account_update', { params, body: { name: two.name } }),
    ).toMatchObject({ status: 400, error_code: 'ObjectAlreadyExists' })
    await admin.call('service_account_update', { params, body: { name: 'renamed' } })
    expect(await admin.call('user_view', { params: { user_id: one.id } })).toMatchObject({
      display_name: 'renamed',
    })
    // Another place may have the same name.
    await admin.call('service_account_create', { body: { name: 'renamed', description: '' } })
  })
})

describe('a service account of a silo', () => {
  test('has roles of the silo, with the limits of its token, and none on the fleet', async () => {
    const robot = await create(undefined)
    await admin.call('policy_update', {
      body: {
        role_assignments: [
          ...(await admin.call('policy_view')).role_assignments,
          { identity_type: 'silo_user', identity_id: robot.id, role_name: 'collaborator' },
        ],
      },
    })
    const all = await tokenOf(robot)
    const reading = await tokenOf(robot, admin, { access: 'read_only', projects: ['work'] })
    await all.call('project_create', { body: { name: 'by-silo-robot', description: '' } })
    expect(await reading.refusal('project_list')).toMatchObject(forbidden)
    expect(await reading.call('project_view', { params: { project: 'work' } })).toMatchObject({
      name: 'work',
    })
    const fleet = await admin.call('system_policy_view')
    const refused = await admin.refusal('system_policy_update', {
      body: {
        role_assignments: [
          ...fleet.role_assignments,
          { identity_type: 'silo_user', identity_id: robot.id, role_name: 'viewer' },
        ],
      },
    })
    expect(refused.message).toContain(serviceAccountMessages.noFleetRoles(robot.name))
  })

  test('is invisible to the identity provider of its silo', async () => {
    const provider = await createProvider(server)
    const { id } = await server.db
      .selectFrom('silo')
      .select('id')
      .orderBy('time_created', 'desc')
      .executeTakeFirstOrThrow()
    const lead = await server.createUser('scim-lead', { silo: 'admin' }, id)
    const robot = await create(undefined, lead.caller)
    const list = await provider.caller.send('GET', '/scim/v2/Users')
    expect(JSON.stringify(list.body)).not.toContain(robot.id)
    for (const method of ['GET', 'DELETE']) {
      const answer = await provider.caller.send(method, `/scim/v2/Users/${robot.id}`)
      expect(answer.status).toBe(404)
    }
  })
})

describe('the list', () => {
  test.each([
    ['a project', 'work', 'service_account'],
    ['the silo', undefined, 'silo_service_account'],
  ] as const)('of %s is searched, tagged and deleted in bulk', async (_, project, kind) => {
    const [one, two] = [await create(project), await create(project)]
    const search = async (wanted: object) =>
      (await admin.call('service_account_search', { query: { project, ...wanted } })).items.map(
        ({ id }) => id,
      )
    expect(await search({ search: one.name })).toEqual([one.id])
    const params = { kind, thing: two.id }
    await admin.call('tags_change', { params, body: { set: ['use:ci'], remove: [] } })
    expect(await search({ tag: 'use:ci' })).toEqual([two.id])
    const history = await admin.call('history_list', { query: { kind, id: two.id } })
    expect(JSON.stringify(history)).toContain('service_account_create')

    const token = await tokenOf(two)
    const target = targets(one.id, two.id)
    const role = project
      ? { projects: { [projects.work!]: 'viewer' as const } }
      : { silo: 'viewer' as const }
    const { caller } = await server.createUser(`reader-${count++}`, role)
    const refused = await plan(caller, 'delete', kind, target, project ?? null)
    expect(refused.counts).toMatchObject({ refused: 2 })
    const job = await runJob(admin, 'delete', kind, target, project ?? null)
    expect(job.counts).toMatchObject({ succeeded: 2 })
    expect(await search({ search: two.name })).toEqual([])
    expect(await token.refusal('current_user_view')).toMatchObject({ status: 401 })
  })

  test('of a place offers accounts for roles there alone', async () => {
    const [here, there, ofSilo] = [
      await create('work'),
      await create('other'),
      await create(undefined),
    ]
    const ids = [here.id, there.id, ofSilo.id].join(',')
    const offered = async (wanted: object) =>
      (await admin.call('identity_list', { query: { ids, ...wanted } })).items
        .map(({ id }) => id)
        .toSorted()
    const sorted = (...some: Wire.ServiceAccount[]) => some.map(({ id }) => id).toSorted()
    expect(await offered({})).toEqual(sorted(here, there, ofSilo))
    expect(await offered({ assignable: 'project', ...query })).toEqual(sorted(here, ofSilo))
    expect(await offered({ assignable: 'silo' })).toEqual(sorted(ofSilo))
    expect(await offered({ assignable: 'fleet' })).toEqual([])
    for (const wrong of [{ assignable: 'project' }, { assignable: 'silo', ...query }] as const) {
      expect(await admin.refusal('identity_list', { query: wrong })).toMatchObject({
        status: 400,
        message: expect.stringContaining(accessMessages.assignableProject),
      })
    }
    // Nobody learns of a project that they may not read.
    const { caller } = await server.createUser(`outside-${count++}`)
    const asked = { query: { assignable: 'project', ...query } as const }
    expect(await caller.refusal('identity_list', asked)).toMatchObject({ status: 404 })
  })
})

test('lists of users have no service accounts of projects that the caller may not read', async () => {
  const { admin } = server
  const names = ['seen-by-members', 'hidden-from-others']
  const { id: mine } = await admin.call('project_create', {
    body: { name: 'listing-mine', description: '' },
  })
  await admin.call('project_create', { body: { name: 'listing-other', description: '' } })
  for (const [index, project] of ['listing-mine', 'listing-other'].entries()) {
    await admin.call('service_account_create', {
      query: { project },
      body: { name: names[index]!, description: '' },
    })
  }
  const { caller } = await server.createUser('listing-member', { projects: { [mine]: 'viewer' } })
  const listed = async (by: typeof admin) =>
    (await by.call('user_list', { query: { limit: 1000 } })).items
      .map(({ display_name }) => display_name)
      .filter((name) => names.includes(name))
  expect(await listed(admin)).toEqual(expect.arrayContaining(names))
  expect(await listed(caller)).toEqual(['seen-by-members'])
})
