/** SCIM tokens: their access, scope and storage. */
import { isUuid } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { createProvider, providerWith, tokenFor } from '../../support/scim.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a token is shown once, listed with the oldest first, and deleted', async () => {
  const { admin, db } = server
  await server.createSilo('tokens', { identity_mode: 'saml_scim' })
  const query = { silo: 'tokens' }
  const { bearer_token, ...about } = await admin.call('scim_token_create', { query })
  expect(bearer_token).toMatch(/^oxide-scim-[0-9a-f]{40}$/)
  expect(about).toEqual({
    id: expect.toSatisfy(isUuid),
    time_created: expect.any(String),
    time_expires: null,
  })
  const second = await admin.call('scim_token_create', { query })
  const list = await admin.call('scim_token_list', { query })
  expect(list.map(({ id }) => id)).toEqual([about.id, second.id])
  expect(list[0]).toEqual(about)
  const params = { token_id: about.id }
  expect(await admin.call('scim_token_view', { params, query })).toEqual(about)
  const stored = await db.selectFrom('scim_token').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(bearer_token.slice(-40))

  const provider = providerWith(server, '', bearer_token)
  await provider.list('/Users')
  await admin.call('scim_token_delete', { params, query })
  expect(await provider.refused('GET', '/Users')).toBe('401 credentials missing or invalid')
  expect((await admin.refusal('scim_token_view', { params, query })).message).toBe(
    `not found: scim-client-bearer-token with id "${about.id}"`,
  )
  expect((await admin.refusal('scim_token_delete', { params, query })).status).toBe(404)
})

test('a token belongs to one silo', async () => {
  const { admin } = server
  await server.createSilo('mine', { identity_mode: 'saml_scim' })
  const { id } = await admin.call('scim_token_create', { query: { silo: 'mine' } })
  const params = { token_id: id }
  const query = { silo: 'main' }
  expect((await admin.refusal('scim_token_view', { params, query })).status).toBe(404)
  expect((await admin.refusal('scim_token_delete', { params, query })).status).toBe(404)
  expect(await admin.call('scim_token_list', { query })).toEqual([])
})

test('a token works only where SCIM keeps the users, and only for SCIM', async () => {
  for (const identity_mode of ['local_only', 'saml_jit'] as const) {
    const name = identity_mode.replace('_', '-')
    await server.createSilo(name, { identity_mode })
    const provider = providerWith(server, '', await tokenFor(server, name))
    expect(await provider.refused('GET', '/Users')).toBe('401 credentials missing or invalid')
  }
  const { caller } = await createProvider(server)
  for (const path of ['/v1/me', '/v1/users', '/v1/system/silos', '/x/v1/events']) {
    expect((await caller.refused('GET', path)).status).toBe(401)
  }
})

test('the first credential of a call decides', async () => {
  const { caller } = await createProvider(server)
  const { cookie = '' } = server.admin
  const asBoth = await caller.fetch('/scim/v2/Users', { headers: { cookie } })
  expect(asBoth.status).toBe(401)
  const strange = { headers: { authorization: 'Bearer oxide-token-x' } }
  expect((await server.anonymous.send('GET', '/scim/v2/Users', strange)).status).toBe(401)
})

test('the tokens of a deleted silo do not work', async () => {
  const { admin } = server
  const siloId = await server.createSilo('short-lived', { identity_mode: 'saml_scim' })
  const provider = providerWith(server, siloId, await tokenFor(server, 'short-lived'))
  await provider.user('somebody')
  await admin.call('silo_delete', { params: { silo: 'short-lived' } })
  expect(await provider.refused('GET', '/Users')).toMatch(/^401/)
})

test('the audit log names the silo and the token of each change, and no secret', async () => {
  const { admin, db } = server
  const provider = await createProvider(server)
  const { id } = await provider.user('audited', { password: 'very secret indeed' })
  await provider.refused('POST', '/Users', { userName: 'AUDITED' })
  await provider.send('GET', `/Users/${id}`)
  await provider.ok(204, 'DELETE', `/Users/${id}`)
  const entries = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('silo_id', '=', provider.siloId)
    .where('auth_method', '=', 'scim_token')
    .orderBy('time_completed')
    .orderBy('id')
    .execute()
  const [token] = await db
    .selectFrom('scim_token')
    .select('id')
    .where('silo_id', '=', provider.siloId)
    .execute()
  expect(entries).toHaveLength(3)
  for (const entry of entries) {
    expect(entry).toMatchObject({
      actor_kind: 'scim',
      actor_id: null,
      actor_silo_id: provider.siloId,
      credential_id: token!.id,
      target_kind: 'silo_user',
    })
  }
  expect(entries.map(({ operation_id }) => operation_id).toSorted()).toEqual([
    'scim_v2_create_user',
    'scim_v2_create_user',
    'scim_v2_delete_user',
  ])
  expect(entries.find(({ status }) => status === 409)).toMatchObject({
    error_code: 'uniqueness',
    target_name: 'AUDITED',
  })
  const all = await db.selectFrom('audit_log').selectAll().execute()
  const events = await db.selectFrom('event').selectAll().execute()
  const secret = provider.caller.token!.slice('oxide-scim-'.length)
  expect(JSON.stringify([all, events])).not.toMatch(new RegExp(`${secret}|very secret indeed`))
  const { items } = await admin.call('audit_log_list', {
    query: { start_time: new Date(0).toISOString(), limit: 1000 },
  })
  expect(items.find(({ operation_id }) => operation_id === 'scim_v2_delete_user')).toMatchObject({
    auth_method: 'scim_token',
    credential_id: token!.id,
    actor: { kind: 'scim', silo_id: provider.siloId },
    result: { kind: 'success', http_status_code: 204 },
  })
})

test('every error below the path is a SCIM error', async () => {
  const { caller, send } = await createProvider(server)
  const status = async (...args: Parameters<typeof send>) => (await send(...args)).status
  expect(await status('GET', '')).toBe(404)
  expect(await status('GET', '/Nothing')).toBe(404)
  expect(await status('POST', '/Bulk', {})).toBe(404)
  expect(await status('GET', '/Users/x')).toBe(404)
  expect(await status('GET', `/Groups/${crypto.randomUUID()}`)).toBe(404)
  const wrong = await send('DELETE', '/Users')
  expect(wrong.status).toBe(405)
  expect(wrong.headers.get('allow')).toBe('GET, POST')
  expect(await status('POST', '/Users', '{"userName":')).toBe(400)
  expect(await status('POST', '/Users', `{"userName":"${'x'.repeat(4 * 1024 * 1024)}"}`)).toBe(413)
  expect(await status('GET', '/Users', undefined, { headers: { 'api-version': 'x' } })).toBe(400)
  expect(await status('GET', '/Users/%ff')).toBe(400)
  expect((await server.anonymous.send('GET', '/scim/v2/Users')).status).toBe(401)
  expect((await server.anonymous.send('POST', '/scim/v2/Users', { body: {} })).status).toBe(401)
  const plain = { headers: { 'content-type': 'text/plain' } }
  expect(await status('POST', '/Users', '{}', plain)).toBe(400)
  const json = { headers: { 'content-type': 'application/json; charset=utf-8' } }
  expect(await status('POST', '/Users', '{"userName":"plain json"}', json)).toBe(201)
  expect((await caller.fetch('/scim/v2/Users')).headers.get('content-type')).toBe(
    'application/scim+json',
  )
})
