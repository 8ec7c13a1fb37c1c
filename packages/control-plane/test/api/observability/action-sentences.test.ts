/** Sentences about actions: in the audit log, in the actions of everyone, and in overviews. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'
import { jobBody, targets } from '../../support/jobs.ts'
import { blankDisk, detachedDisk, stoppedInstance } from '../../support/things.ts'

let server: TestServer
let maker: User
let siloAdmin: User
let viewer: User
const work = { query: { project: 'work' } }

beforeAll(async () => {
  server = await startTestServer()
  const { id } = await server.admin.call('project_create', {
    body: { name: 'work', description: '' },
  })
  maker = await server.createUser('maker', { projects: { [id]: 'collaborator' } })
  siloAdmin = await server.createUser('boss', { silo: 'admin' })
  viewer = await server.createUser('looker', { projects: { [id]: 'viewer' } })
})
afterAll(() => server.close())

/** The sentence about the newest call of an operation by a user. */
async function newestSentence(operation: string, user: User = maker): Promise<string> {
  const { items } = await server.admin.call('audit_entry_list', {
    query: { sort_by: 'time_completed_descending', operation, user: user.id, limit: 1 },
  })
  return items[0]!.sentence
}

test('name the target and the other resources of an action', async () => {
  const { name: instance } = await stoppedInstance(maker.caller, work.query, 'told')
  const { name: disk } = await detachedDisk(maker.caller, work.query, 'told-disk')
  await maker.caller.call('instance_disk_attach', {
    params: { instance },
    ...work,
    body: { disk },
  })
  expect(await newestSentence('instance_disk_attach')).toBe(
    `attached disk ${disk} to instance ${instance}`,
  )
  expect(await newestSentence('disk_create')).toBe(`created disk ${disk}`)
})

test('of roles say who got which', async () => {
  const { id } = await server.admin.call('project_create', {
    body: { name: 'shop', description: '' },
  })
  const set = (...roles: [User, 'viewer' | 'collaborator'][]) =>
    siloAdmin.caller.call('project_policy_update', {
      params: { project: id },
      body: {
        role_assignments: roles.map(([user, role_name]) => ({
          identity_id: user.id,
          identity_type: 'silo_user' as const,
          role_name,
        })),
      },
    })
  const told = () => newestSentence('project_policy_update', siloAdmin)
  await set([maker, 'viewer'], [viewer, 'viewer'])
  expect(await told()).toBe(
    'gave maker the role viewer and gave looker the role viewer on project shop',
  )
  await set([maker, 'collaborator'])
  expect(await told()).toBe(
    'gave maker the role collaborator and took the role viewer from looker on project shop',
  )
  await set([maker, 'collaborator'])
  expect(await told()).toBe('changed the roles of project shop')
})

test('of a refusal say what could not be done, and no names to others', async () => {
  await viewer.caller.refusal('disk_create', { ...work, body: blankDisk('refused') })
  expect(await newestSentence('disk_create', viewer)).toBe('could not create disk refused')
  const { items } = await maker.caller.call('action_list', work)
  const seen = items.find(({ outcome, is_own }) => outcome === 'refused' && !is_own)
  expect(seen).toMatchObject({ target: null, sentence: 'could not create a disk' })
})

test('of an overview tell like changes in succession as one, and no plans', async () => {
  const { id } = await server.admin.call('project_create', {
    body: { name: 'many', description: '' },
  })
  const query = { project: id }
  let created: { id: string } | undefined
  for (const name of ['one', 'two', 'three']) {
    created = await server.admin.call('disk_create', { query, body: blankDisk(name) })
  }
  await server.admin.call('job_create', {
    body: jobBody('delete', 'disk', targets(created!.id), id),
  })
  const { timeline } = await server.admin.call('project_overview', { query })
  expect(timeline!.changes).toMatchObject([
    { sentence: 'created 3 disks', count: 3, target: { name: 'three' } },
    { sentence: 'created project many', count: 1 },
  ])
})

test('of an overview do not pretend to have counted all of very many changes', async () => {
  const query = { project: 'countless' }
  await server.admin.call('project_create', { body: { name: 'countless', description: '' } })
  const { id: target } = await server.admin.call('disk_create', { query, body: blankDisk('one') })
  const entry = await server.db
    .selectFrom('audit_log')
    .selectAll()
    .where('target_id', '=', target)
    .executeTakeFirstOrThrow()
  const more = Array.from({ length: 600 }, () => ({ ...entry, id: crypto.randomUUID() }))
  for (let from = 0; from < more.length; from += 100) {
    await server.db
      .insertInto('audit_log')
      .values(more.slice(from, from + 100))
      .execute()
  }
  const { timeline } = await server.admin.call('project_overview', { query })
  expect(timeline!.changes).toMatchObject([{ sentence: 'created at least 500 disks', count: 500 }])
})
