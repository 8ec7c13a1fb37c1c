/** Users and groups of a silo as administrators see and change them. */
import { siloMessages } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'

let server: TestServer
let federated: User
let elsewhere: string
beforeAll(async () => {
  server = await startTestServer()
  const remote = await server.createSilo('federated', { identity_mode: 'saml_jit' })
  federated = await server.createUser('federal', { silo: 'admin' }, remote)
  elsewhere = await server.createSilo('elsewhere')
})
afterAll(() => server.close())

const group = (display_name: string) =>
  server.admin.call('group_create', { body: { display_name } })
const members = (group_id: string, add: string[], remove: string[] = []) => ({
  params: { group_id },
  body: { add, remove },
})
const namesIn = async (query: object) =>
  (await server.admin.call('user_details_list', { query })).items.map((user) => user.display_name)

test('groups of local users are created, filled, emptied and deleted', async () => {
  const [ann, ben] = [await server.createUser('ann'), await server.createUser('ben')]
  const { id } = await group('Operations team')
  await server.admin.call('group_members_update', members(id, [ann.id, ben.id, ann.id]))
  expect(await namesIn({ group: id })).toEqual(['ann', 'ben'])
  await server.admin.call('group_members_update', members(id, [ann.id], [ben.id]))
  expect(await namesIn({ group: id })).toEqual(['ann'])
  const { items } = await ann.caller.call('user_group_list', { params: { user_id: ann.id } })
  expect(items.map(({ display_name }) => display_name)).toEqual(['Operations team'])
  expect(
    await server.admin.refusal('group_create', { body: { display_name: 'Operations team' } }),
  ).toMatchObject({
    status: 400,
    message: 'already exists: silo-group "Operations team"',
  })
  await server.admin.call('group_delete', { params: { group_id: id } })
  expect((await ann.caller.call('current_user_groups')).items).toEqual([])
})

test('only users of the silo become members', async () => {
  const { id } = await group('insiders')
  const stranger = await server.createUser('stranger', {}, elsewhere)
  for (const other of [stranger.id, crypto.randomUUID()]) {
    expect(await server.admin.refusal('group_members_update', members(id, [other]))).toMatchObject({
      status: 404,
      message: `not found: silo-user with id "${other}"`,
    })
  }
  // A user deleted meanwhile is no obstacle.
  await server.admin.call('group_members_update', members(id, [], [crypto.randomUUID()]))
})

test('refuses to change groups of an identity provider', async () => {
  const { siloId } = { siloId: (await federated.caller.call('current_user_view')).silo_id }
  const id = await server.createGroup('theirs', [], siloId)
  const refused = {
    status: 400,
    error_code: 'InvalidRequest',
    message: siloMessages.groupsElsewhere,
  }
  const { caller } = federated
  expect(await caller.refusal('group_create', { body: { display_name: 'ours' } })).toEqual(refused)
  expect(await caller.refusal('group_delete', { params: { group_id: id } })).toEqual(refused)
  expect(await caller.refusal('group_members_update', members(id, [federated.id]))).toEqual(refused)
})

test.each([
  ['local_only', 'local', null],
  ['saml_jit', 'saml', null],
  ['saml_scim', 'scim', 'key'],
] as const)('users and groups of a silo %s come from %s', async (identity_mode, source, key) => {
  const silo = await server.createSilo(`from-${source}`, { identity_mode })
  const boss = await server.createUser(`boss-${source}`, { silo: 'admin' }, silo)
  const { db } = server
  await db.updateTable('silo_user').set({ user_name_key: key }).where('id', '=', boss.id).execute()
  const group_id = await server.createGroup('crew', [boss.id], silo)
  await db
    .updateTable('silo_group')
    .set({ display_name_key: key })
    .where('id', '=', group_id)
    .execute()
  const { caller } = boss
  expect((await caller.call('user_details_list')).items).toMatchObject([{ source }])
  expect(await caller.call('user_details_view', { params: { user_id: boss.id } })).toMatchObject({
    source,
  })
  expect((await caller.call('group_details_list')).items).toMatchObject([{ source }])
  expect(await caller.call('group_details_view', { params: { group_id } })).toMatchObject({
    source,
    members: 1,
  })
})

test('users and groups are searched, sorted and counted page by page', async () => {
  const names = ['zoe', 'Zoltan', 'zack', 'zed_50%', 'zed-500']
  for (const name of names) await server.createUser(name, {}, elsewhere)
  const query = { silo: elsewhere, limit: 2 }
  const found: string[] = []
  let page_token: string | undefined
  do {
    const page = await server.admin.call('user_details_list', {
      query: page_token ? { page_token, limit: 2 } : { ...query, search: 'Z' },
    })
    expect(page.total).toBe(5)
    found.push(...page.items.map(({ display_name }) => display_name))
    page_token = page.next_page ?? undefined
  } while (page_token)
  expect(found).toEqual(['zack', 'zed-500', 'zed_50%', 'zoe', 'Zoltan'])
  expect(await namesIn({ ...query, search: '50%' })).toEqual(['zed_50%'])
  expect(await namesIn({ ...query, search: 'nobody' })).toEqual([])
  expect(await namesIn({ ...query, sort_by: 'name_descending', limit: 1 })).toEqual(['Zoltan'])

  const crowd = await server.createGroup('crowd', [federated.id, server.siloId])
  const { items } = await server.admin.call('group_details_list', { query: { search: 'CROW' } })
  expect(items).toMatchObject([{ id: crowd, members: 2 }])
})

test('a user is shown with last sign-in, password state and keys', async () => {
  const query = { silo: 'main' }
  const body = { external_id: 'described', password: { mode: 'password', value: 'described by x' } }
  const { id: user_id } = await server.admin.call('local_idp_user_create', { query, body })
  const params = { user_id }
  const details = () => server.admin.call('user_details_view', { params })
  expect(await details()).toMatchObject({
    active: true,
    has_password: true,
    time_last_sign_in: null,
  })
  await server.anonymous.send('POST', '/v1/login/main/local', {
    body: { username: 'described', password: 'described by x' },
  })
  expect((await details()).time_last_sign_in).toBeTypeOf('string')
  const caller = await server.signInAs(user_id)
  const key = { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA' }
  await caller.call('current_user_ssh_key_create', { body: key })
  expect((await server.admin.call('user_ssh_key_list', { params })).items).toMatchObject([key])
  const off = { mode: 'login_disallowed' }
  await server.admin.call('local_idp_user_set_password', { params, query, body: off })
  expect(await details()).toMatchObject({ has_password: false })
})
