/** The password of the signed-in user, and the facts shown before signing in. */
import { commonPassword, notPresentPassword, SIGN_IN_FREE_FAILURES } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createPasswordHasher } from '../../../node/src/passwords.ts'
import { Caller } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.createSilo('federated', { identity_mode: 'saml_jit' })
})
afterAll(() => server.close())

const [OLD, NEW, NEWER] = ['an old password', 'a new password', 'a newer password']
const query = { silo: 'main' }
let names = 0
const person = () => {
  const body = { external_id: `person-${names++}`, password: { mode: 'password', value: OLD } }
  return server.admin.call('local_idp_user_create', { query, body })
}
const login = (username: string, password: string) =>
  server.anonymous.send('POST', '/v1/login/main/local', { body: { username, password } })
const signIn = async (username: string, password = OLD) => {
  const { headers } = await login(username, password)
  return new Caller(server.url, headers.get('set-cookie')!.split(';')[0])
}
const change = (current_password: string, new_password: string, end_other_sessions = false) => ({
  body: { current_password, new_password, end_other_sessions },
})
const reasonOf = async (caller: Caller) =>
  (await caller.call('sign_in_page_view', { params: { silo_name: 'main' } })).signed_out_because

describe("one's own password", () => {
  test('can be changed with the present one', async () => {
    const { display_name } = await person()
    const [here, there] = [await signIn(display_name), await signIn(display_name)]
    expect(await here.refusal('current_user_password_update', change('wrong', NEW))).toEqual({
      status: 400,
      error_code: 'InvalidValue',
      message: `unsupported value for "current_password": ${notPresentPassword}`,
    })
    await here.call('current_user_password_update', change(OLD, NEW))
    expect((await login(display_name, OLD)).status).toBe(401)
    expect((await login(display_name, NEW)).status).toBe(204)
    await there.call('current_user_view')
    await here.call('current_user_password_update', change(NEW, NEWER, true))
    await here.call('current_user_view')
    expect(await there.refusal('current_user_view')).toMatchObject({ status: 401 })
    expect(await reasonOf(there)).toBe('password')
    expect(await reasonOf(here)).toBeNull()
  })

  test('cannot be guessed faster than at the sign-in', async () => {
    const { display_name } = await person()
    const caller = await signIn(display_name)
    for (let guess = 0; guess < SIGN_IN_FREE_FAILURES; guess++) {
      expect(
        await caller.refusal('current_user_password_update', change(`guess ${guess}`, NEW)),
      ).toMatchObject({ status: 400 })
    }
    expect(await caller.refusal('current_user_password_update', change(OLD, NEW))).toMatchObject({
      status: 429,
    })
  })

  test('is reported as generated until it is changed', async () => {
    const { display_name, id } = await person()
    await server.db
      .updateTable('silo_user')
      .set({ password_generated: 1 })
      .where('id', '=', id)
      .execute()
    const caller = await signIn(display_name)
    expect(await caller.call('current_user_password_view')).toEqual({
      has_password: true,
      generated: true,
      weak: false,
    })
    await caller.call('current_user_password_update', change(OLD, 'quite my own'))
    expect(await caller.call('current_user_password_view')).toMatchObject({ generated: false })
    // The harness has chosen the administrator's.
    expect(await server.admin.call('current_user_password_view')).toEqual({
      has_password: true,
      generated: false,
      weak: false,
    })
  })

  test('follows the rules of new passwords', async () => {
    const { display_name } = await person()
    const caller = await signIn(display_name)
    for (const [value, problem] of [
      ['', 'Must be at least 8 characters'],
      ['seven77', 'Must be at least 8 characters'],
      ['🐎🔋🐎🔋🐎🔋🐎', 'Must be at least 8 characters'],
      ['é'.repeat(255) + 'xx', 'Must be 256 characters or fewer'],
      [display_name.toUpperCase(), 'Must not be the name of the user'],
      ['Password123', commonPassword],
    ] as const) {
      expect(
        await caller.refusal('current_user_password_update', change(OLD, value)),
        value,
      ).toMatchObject({
        status: 400,
        message: `unsupported value for "new_password": ${problem}`,
      })
    }
    expect((await login(display_name, OLD)).status).toBe(204)
  })

  test('that breaks the rules keeps working, and is reported to its user until it is changed', async () => {
    const { display_name, id } = await person()
    const weak = 'letmein'
    const password_hash = await createPasswordHasher({ memoryKiB: 8, passes: 1 }).hash(weak)
    await server.db.updateTable('silo_user').set({ password_hash }).where('id', '=', id).execute()
    const caller = await signIn(display_name, weak)
    const view = () => caller.call('current_user_password_view')
    expect(await view()).toEqual({ has_password: true, generated: false, weak: true })
    await caller.call('current_user_password_update', change(weak, NEW))
    expect(await view()).toMatchObject({ weak: false })
    await signIn(display_name, NEW)
    expect(await view()).toMatchObject({ weak: false })
  })

  test('may be shorter if the operator permits it', async () => {
    const lenient = await startTestServer({ passwordMin: 5 })
    onTestFinished(() => lenient.close())
    expect(await lenient.anonymous.call('capabilities_view')).toMatchObject({ password_min: 5 })
    const create = (external_id: string, value: string) => ({
      query,
      body: { external_id, password: { mode: 'password' as const, value } },
    })
    await lenient.admin.call('local_idp_user_create', create('short', 'a?c%e'))
    expect(
      await lenient.admin.refusal('local_idp_user_create', create('shorter', 'a?c%')),
    ).toMatchObject({
      message: 'unsupported value for "password": Must be at least 5 characters',
    })
  })

  test('does not exist for users of an identity provider', async () => {
    const { caller } = await server.createUser('federal')
    expect(await caller.call('current_user_password_view')).toEqual({
      has_password: false,
      generated: false,
      weak: false,
    })
    expect(await caller.refusal('current_user_password_update', change('', ''))).toMatchObject({
      status: 404,
      message: 'not found: identity-provider with name "local"',
    })
  })
})

describe('the sign-in page', () => {
  test('shows how the users of a silo sign in', async () => {
    const view = (silo_name: string) => ({ params: { silo_name } })
    expect(await server.anonymous.call('sign_in_page_view', view('main'))).toEqual({
      silo_name: 'main',
      local: true,
      forgotten_passwords: false,
      // The test calls an IP address.
      passkeys: false,
      identity_providers: [],
      oidc_providers: [],
      signed_out_because: null,
    })
    expect(await server.anonymous.call('sign_in_page_view', view('federated'))).toMatchObject({
      local: false,
    })
    expect(await server.anonymous.refusal('sign_in_page_view', view('nowhere'))).toMatchObject({
      status: 404,
      message: 'not found: silo with name "nowhere"',
    })
  })

  test('shows why a session has ended, to its browser', async () => {
    const { display_name, id: user_id } = await person()
    const params = { user_id }
    const [one, other] = [await signIn(display_name), await signIn(display_name)]
    await one.call('current_user_session_delete_others')
    expect(await reasonOf(other)).toBe('ended')
    await server.admin.call('user_logout', { params })
    expect(await reasonOf(one)).toBe('administrator')

    const again = await signIn(display_name)
    const body = { mode: 'password', value: 'another one' }
    await server.admin.call('local_idp_user_set_password', { params, query, body })
    expect(await reasonOf(again)).toBe('password')

    const last = await signIn(display_name, 'another one')
    await server.admin.call('local_idp_user_delete', { params, query })
    expect(await reasonOf(last)).toBe('user')
    expect(await reasonOf(new Caller(server.url, `session=${'0'.repeat(40)}`))).toBe('expired')

    const leaving = await signIn((await person()).display_name)
    await leaving.send('POST', '/v1/logout')
    expect(await reasonOf(server.anonymous)).toBeNull()
  })
})
