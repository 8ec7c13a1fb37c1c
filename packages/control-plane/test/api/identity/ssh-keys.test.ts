/** Control plane specification 2.3: the SSH keys of the caller. */
import { privateKeyProblem } from '@steading/api/ssh-keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'

let server: TestServer
let alice: User
let bob: User
beforeAll(async () => {
  server = await startTestServer()
  alice = await server.createUser('alice')
  bob = await server.createUser('bob')
})
afterAll(() => server.close())

const body = (name: string) => ({ name, description: 'laptop', public_key: 'ssh-ed25519 AAAA a@b' })
const create = ({ caller }: User, name: string) =>
  caller.call('current_user_ssh_key_create', { body: body(name) })
const names = async ({ caller }: User) =>
  (await caller.call('current_user_ssh_key_list')).items.map(({ name }) => name)

test('a key is stored as given', async () => {
  const key = await create(alice, 'kept')
  expect(key).toEqual({
    ...body('kept'),
    id: key.id,
    silo_user_id: alice.id,
    time_created: key.time_modified,
    time_modified: key.time_created,
  })
  for (const ssh_key of ['kept', key.id]) {
    const params = { ssh_key }
    expect(await alice.caller.call('current_user_ssh_key_view', { params })).toEqual(key)
  }
  // The format is not checked.
  const odd = { ...body('odd'), public_key: 'not a key' }
  expect(await alice.caller.call('current_user_ssh_key_create', { body: odd })).toMatchObject(odd)
})

test('a private key is refused, and not stored', async () => {
  const public_key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE\n-----END'
  const refusal = await alice.caller.refusal('current_user_ssh_key_create', {
    body: { ...body('private'), public_key },
  })
  expect(refusal.status).toBe(400)
  expect(refusal.message).toContain(privateKeyProblem)
  expect(refusal.message).not.toContain('b3Blbn')
  expect(await names(alice)).not.toContain('private')
})

test('names are unique per user', async () => {
  await create(alice, 'same')
  await create(bob, 'same')
  expect(await alice.caller.refusal('current_user_ssh_key_create', { body: body('same') })).toEqual(
    {
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: ssh-key "same"',
    },
  )
})

test('a deleted key is gone, and its name is free', async () => {
  const first = await create(alice, 'gone')
  await alice.caller.call('current_user_ssh_key_delete', { params: { ssh_key: 'gone' } })
  expect(await names(alice)).not.toContain('gone')
  for (const [ssh_key, by] of [
    ['gone', 'name'],
    [first.id, 'id'],
  ] as const) {
    const missing = {
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: ssh-key with ${by} "${ssh_key}"`,
    }
    const params = { ssh_key }
    expect(await alice.caller.refusal('current_user_ssh_key_view', { params })).toEqual(missing)
    expect(await alice.caller.refusal('current_user_ssh_key_delete', { params })).toEqual(missing)
  }
  const second = await create(alice, 'gone')
  expect(second.id).not.toBe(first.id)
  await alice.caller.call('current_user_ssh_key_delete', { params: { ssh_key: second.id } })
})

test('other users do not see it, with any role', async () => {
  const key = await create(alice, 'private')
  expect(await names(bob)).not.toContain('private')
  for (const caller of [bob.caller, server.admin]) {
    for (const ssh_key of ['private', key.id]) {
      const params = { ssh_key }
      expect(await caller.refusal('current_user_ssh_key_view', { params })).toMatchObject({
        status: 404,
      })
      expect(await caller.refusal('current_user_ssh_key_delete', { params })).toMatchObject({
        status: 404,
      })
    }
  }
  expect(await names(alice)).toContain('private')
})

test('of concurrent creates with one name, one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      alice.caller.send('POST', '/v1/me/ssh-keys', { body: body('race') }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
  for (const { status, body: error } of answers) {
    if (status === 400) expect(error).toMatchObject({ error_code: 'ObjectAlreadyExists' })
  }
})
