/** Changes of users and groups by identity providers, and their consequences. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Writing } from '../../src/kernel/work.ts'
import { writingIn } from '../../src/kernel/work.ts'
import { createGroup } from '../../src/resources/identity/groups/create.ts'
import { deleteGroup } from '../../src/resources/identity/groups/delete.ts'
import {
  changeMembers,
  setGroups,
  setMembers,
} from '../../src/resources/identity/groups/members.ts'
import { removeAssignments } from '../../src/resources/identity/policies/remove-assignments.ts'
import { createUser } from '../../src/resources/identity/users/create.ts'
import { deleteUser } from '../../src/resources/identity/users/delete.ts'
import { updateUser } from '../../src/resources/identity/users/update.ts'
import type { Caller } from '../support/caller.ts'
import { tokenOf } from '../support/devices.ts'
import { type Change, EventStream } from '../support/event-stream.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

let server: TestServer
let silo_id: string
beforeAll(async () => {
  server = await startTestServer()
  silo_id = await server.createSilo('people')
})
afterAll(() => server.close())

/** Runs work as a provider does, in its own transaction. */
const doing = <T>(work: (writing: Writing) => Promise<T>): Promise<T> =>
  server.host.controlPlane.database.transaction((tx) => work(writingIn(tx, new Date())))

const person = (external_id: string) =>
  doing((writing) => createUser(writing, { silo_id, external_id }))
const group = (display_name: string) =>
  doing((writing) => createGroup(writing, { silo_id, display_name }))

const groupsOf = async (caller: Caller) =>
  (await caller.call('current_user_groups')).items.map(({ display_name }) => display_name).sort()

async function follow(caller: Caller): Promise<EventStream> {
  const stream = new EventStream(await caller.fetch('/x/v1/events'))
  await stream.block()
  return stream
}

/** The next update of a resource. A stream may begin with things made shortly before. */
async function updateOf(stream: EventStream, resource: string): Promise<Change> {
  const change = await stream.changeOf(resource)
  return change.action === 'update' ? change : updateOf(stream, resource)
}

test('names are unique in a silo, and free again after a deletion', async () => {
  const first = await person('twice')
  await expect(person('twice')).rejects.toMatchObject({
    template: { status: 400, message: 'already exists: silo-user "twice"' },
  })
  await doing((writing) => deleteUser(writing, first))
  await person('twice')

  const scim = (external_id: string) =>
    doing((writing) =>
      createUser(writing, { silo_id, external_id, user_name_key: external_id.toLowerCase() }),
    )
  await scim('Case@example.com')
  await expect(scim('CASE@example.com')).rejects.toMatchObject({
    template: { message: 'already exists: silo-user "CASE@example.com"' },
  })

  const admins = await group('admins')
  await expect(group('admins')).rejects.toMatchObject({
    template: { message: 'already exists: silo-group "admins"' },
  })
  await doing((writing) => deleteGroup(writing, admins))
  await group('admins')
})

test('memberships give and remove roles at once, and each changed group has an event', async () => {
  const user = await person('member')
  const caller = await server.signInAs(user.id)
  const [writers, readers] = [await group('writers'), await group('readers')]
  await server.grant({ id: writers.id, type: 'silo_group' }, 'silo', silo_id, 'collaborator')
  const stream = await follow(caller)
  const body = { name: 'theirs', description: '' }
  expect(await caller.refusal('project_create', { body })).toMatchObject({ status: 403 })

  await doing((writing) => setGroups(writing, user.id, [writers, readers, writers]))
  await caller.call('project_create', { body })
  expect(await groupsOf(caller)).toEqual(['readers', 'writers'])
  const told = [await updateOf(stream, 'groups'), await updateOf(stream, 'groups')]
  expect(told.map(({ resource_id }) => resource_id)).toEqual([writers.id, readers.id])
  // The stream also uses the new role.
  expect(await stream.changeOf('projects')).toMatchObject({ name: 'theirs' })

  // Adding a present member changes nothing and has no event.
  await doing((writing) => changeMembers(writing, readers, { add: [user.id] }))
  await doing((writing) => setGroups(writing, user.id, [readers]))
  expect(await updateOf(stream, 'groups')).toMatchObject({ resource_id: writers.id })
  expect(await groupsOf(caller)).toEqual(['readers'])
  const renamed = { params: { project: 'theirs' }, body: { description: 'ours' } }
  expect(await caller.refusal('project_update', renamed)).toMatchObject({ status: 404 })

  const other = await person('other-member')
  await doing((writing) => setMembers(writing, readers, [other.id]))
  expect(await groupsOf(caller)).toEqual([])
  const { items } = await caller.call('user_list', { query: { group: readers.id } })
  expect(items.map(({ id }) => id)).toEqual([other.id])
  await doing((writing) => deleteGroup(writing, readers))
  expect(await groupsOf(await server.signInAs(other.id))).toEqual([])
  await stream.close()
})

test('changes a group of thousands of users', async () => {
  const crowd = await group('crowd')
  const ids = Array.from({ length: 3_000 }, () => crypto.randomUUID())
  await doing((writing) => setMembers(writing, crowd, ids))
  await doing((writing) => setMembers(writing, crowd, ids.slice(0, 10)))
  const { count } = await server.db
    .selectFrom('silo_group_membership')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('group_id', '=', crowd.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(10)
})

test('a deactivated user cannot sign in until activated', async () => {
  const user = await person('dormant')
  const caller = await server.signInAs(user.id)
  const token = await tokenOf(caller, server.anonymous)
  const stream = await follow(token)
  const readers = await group('dozing')
  await doing((writing) => setGroups(writing, user.id, [readers]))
  const inactive = await doing((writing) => updateUser(writing, user, { active: false }))
  await stream.end()
  for (const one of [caller, token, await server.signInAs(user.id)]) {
    expect(await one.refusal('current_user_view')).toMatchObject({ status: 401 })
  }
  await doing((writing) => updateUser(writing, inactive, { active: true }))
  const again = await server.signInAs(user.id)
  expect(await groupsOf(again)).toEqual([])
  expect((await again.call('current_user_access_token_list')).items).toEqual([])
})

test('deletes sessions, tokens, memberships and keys with a user', async () => {
  const user = await person('leaving')
  const caller = await server.signInAs(user.id)
  const token = await tokenOf(caller, server.anonymous)
  const stream = await follow(caller)
  const leavers = await group('leavers')
  await doing((writing) => setGroups(writing, user.id, [leavers]))
  await server.grant({ id: user.id }, 'silo', silo_id, 'admin')
  await caller.call('current_user_ssh_key_create', {
    body: { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA' },
  })
  await doing((writing) => deleteUser(writing, user))
  await stream.end()
  for (const one of [caller, token, await server.signInAs(user.id)]) {
    expect(await one.refusal('current_user_view')).toMatchObject({ status: 401 })
  }
  const rows = async (table: 'silo_group_membership' | 'access_token') =>
    server.db.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute()
  expect(await rows('silo_group_membership')).toEqual([])
  expect(await rows('access_token')).toEqual([])
  const key = await server.db
    .selectFrom('ssh_key')
    .select('time_deleted')
    .where('silo_user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(key.time_deleted).not.toBeNull()

  const roles = async () =>
    (
      await server.db
        .selectFrom('role_assignment')
        .select('role_name')
        .where('identity_id', '=', user.id)
        .execute()
    ).length
  expect(await roles()).toBe(1)
  await doing((writing) => removeAssignments(writing, user.id, silo_id))
  expect(await roles()).toBe(0)
})
