/** Control plane specification 4.3, 4.8 and 10.3: users with passwords, and built-in users. */
import { commonPassword, newPasswordProblem, PASSWORD_MAX, PASSWORD_MIN } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Caller } from '../support/caller.ts'
import { plain as consolePath, viewConsole } from '../support/console.ts'
import { tokenOf } from '../support/devices.ts'
import { EventStream } from '../support/event-stream.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { reaches, stoppedInstance } from '../support/things.ts'

let server: TestServer
let elsewhere: string
beforeAll(async () => {
  server = await startTestServer()
  elsewhere = await server.createSilo('elsewhere')
  await server.createSilo('federated', { identity_mode: 'saml_jit' })
})
afterAll(() => server.close())

const query = { silo: 'main' }
let names = 0
const create = (
  password: object = { mode: 'password', value: 'hunter two' },
  external_id = `user-${names++}`,
) => server.admin.call('local_idp_user_create', { query, body: { external_id, password } })
const remove = (user_id: string) =>
  server.admin.call('local_idp_user_delete', { params: { user_id }, query })
const setPassword = (user_id: string, body: object, caller = server.admin) =>
  caller.call('local_idp_user_set_password', { params: { user_id }, query, body })

const login = (username: string, password: string, silo = 'main') =>
  server.anonymous.send('POST', `/v1/login/${silo}/local`, { body: { username, password } })
const signIn = async (username: string, password: string) => {
  const { headers } = await login(username, password)
  return new Caller(server.url, headers.get('set-cookie')!.split(';')[0])
}

describe('a local user', () => {
  test('is created with a name and a password to sign in with', async () => {
    const user = await create(undefined, 'alice')
    expect(user).toEqual({
      id: user.id,
      display_name: 'alice',
      silo_id: server.siloId,
      time_created: user.time_created,
      time_modified: user.time_created,
    })
    const caller = await signIn('alice', 'hunter two')
    expect(await caller.call('current_user_view')).toMatchObject({ id: user.id, silo_admin: false })
  })

  test('has a unique name in the silo, which may be used in another', async () => {
    await create(undefined, 'bob')
    const body = { external_id: 'bob', password: { mode: 'login_disallowed' } }
    expect(await server.admin.refusal('local_idp_user_create', { query, body })).toEqual({
      status: 400,
      error_code: 'ObjectAlreadyExists',
      message: 'already exists: silo-user "bob"',
    })
    const there = await server.admin.call('local_idp_user_create', {
      query: { silo: elsewhere },
      body,
    })
    expect(there.silo_id).toBe(elsewhere)
    expect((await login('bob', 'hunter two', 'elsewhere')).status).toBe(401)
  })

  test('is created once by two calls with one name', async () => {
    const body = { external_id: 'hurried', password: { mode: 'password', value: 'in a hurry' } }
    const path = '/v1/system/identity-providers/local/users?silo=main'
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.admin.send('POST', path, { body })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  test('may have any long enough password of up to 512 bytes, or none', async () => {
    const values = [
      ' '.repeat(8),
      'é'.repeat(PASSWORD_MAX / 2),
      'correct horse\nbattery',
      '🐎🔋🐎🔋🐎🔋🐎🔋',
    ]
    for (const value of values) {
      const { display_name } = await create({ mode: 'password', value })
      expect((await login(display_name, value)).status).toBe(204)
      expect((await login(display_name, [...value].slice(1).join('') || 'x')).status).toBe(401)
    }
    for (const value of ['x'.repeat(PASSWORD_MAX + 1), 'é'.repeat(PASSWORD_MAX / 2 + 1)]) {
      const { status, message } = await server.admin.refusal('local_idp_user_create', {
        query,
        body: { external_id: 'verbose', password: { mode: 'password', value } },
      })
      expect(status).toBe(400)
      expect(message).toMatch(
        /^unable to parse JSON body: password\.value: the password provided was too long at line 1 /,
      )
    }
    const { display_name } = await create({ mode: 'login_disallowed' })
    expect((await login(display_name, '')).status).toBe(401)
  })

  test('gets no password that breaks the rules, neither first nor later', async () => {
    const name = 'sam-the-miller'
    const params = { user_id: (await create(undefined, name)).id }
    for (const value of ['', 'seven77', name.toUpperCase(), 'Password1']) {
      const password = { mode: 'password' as const, value }
      const problem = newPasswordProblem(value, PASSWORD_MIN, name) ?? commonPassword
      const refused = { status: 400, message: `unsupported value for "password": ${problem}` }
      expect(
        await server.admin.refusal('local_idp_user_set_password', {
          params,
          query,
          body: password,
        }),
      ).toMatchObject(refused)
      // Another user may have this one's name as a password.
      if (value.toLowerCase() === name) continue
      const body = { external_id: 'another', password }
      expect(await server.admin.refusal('local_idp_user_create', { query, body })).toMatchObject(
        refused,
      )
    }
  })

  test('exists only in silos with local users', async () => {
    const missing = {
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: identity-provider with name "local"',
    }
    const of = { silo: 'federated' }
    const body = { external_id: 'nobody', password: { mode: 'login_disallowed' } }
    const params = { user_id: crypto.randomUUID() }
    expect(await server.admin.refusal('local_idp_user_create', { query: of, body })).toEqual(
      missing,
    )
    expect(await server.admin.refusal('local_idp_user_delete', { query: of, params })).toEqual(
      missing,
    )
    expect(
      await server.admin.refusal('local_idp_user_set_password', {
        query: of,
        params,
        body: { mode: 'login_disallowed' },
      }),
    ).toEqual(missing)
  })

  test('is looked up in the named silo', async () => {
    const { id: user_id } = await create()
    const missing = {
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: silo-user with id "${user_id}"`,
    }
    const call = { params: { user_id }, query: { silo: 'elsewhere' } }
    expect(await server.admin.refusal('local_idp_user_delete', call)).toEqual(missing)
    expect(await server.admin.refusal('silo_user_view', call)).toEqual(missing)
    expect(await server.admin.call('silo_user_view', { params: { user_id }, query })).toMatchObject(
      { id: user_id },
    )
    const { items } = await server.admin.call('silo_user_list', { query: { silo: server.siloId } })
    expect(items.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toSorted())
    expect(items.map(({ id }) => id)).toContain(user_id)
    const there = await server.admin.call('silo_user_list', { query: { silo: elsewhere } })
    expect(there.items.map(({ id }) => id)).not.toContain(user_id)
  })

  test('with a new password is signed out everywhere else', async () => {
    const user = await create()
    const before = await signIn(user.display_name, 'hunter two')
    const token = await tokenOf(before, server.anonymous)
    await setPassword(user.id, { mode: 'password', value: 'hunter three' })
    expect(await before.refusal('current_user_view')).toMatchObject({ status: 401 })
    expect((await login(user.display_name, 'hunter two')).status).toBe(401)
    expect((await login(user.display_name, 'hunter three')).status).toBe(204)
    // Access tokens keep working.
    await token.call('current_user_view')
    const admin = await server.createUser('self-made', { silo: 'admin' })
    await setPassword(admin.id, { mode: 'password', value: 'all of it mine' }, admin.caller)
    await admin.caller.call('current_user_view')
  })

  test('whose password is removed cannot sign in', async () => {
    const user = await create()
    const before = await signIn(user.display_name, 'hunter two')
    const token = await tokenOf(before, server.anonymous)
    await setPassword(user.id, { mode: 'login_disallowed' })
    for (const one of [before, token]) {
      expect(await one.refusal('current_user_view')).toMatchObject({ status: 401 })
    }
    expect((await login(user.display_name, 'hunter two')).status).toBe(401)
  })

  test('who is deleted loses open sessions, and the name is free', async () => {
    const user = await create(undefined, 'leaver')
    await server.grant({ id: user.id }, 'silo', server.siloId, 'collaborator')
    const caller = await signIn('leaver', 'hunter two')
    await caller.call('project_create', { body: { name: 'theirs', description: '' } })
    const { id } = await stoppedInstance(caller, { project: 'theirs' }, 'box')
    await caller.call('instance_start', { params: { instance: id } })
    await reaches(caller, id, 'running')
    const stream = new EventStream(await caller.fetch('/x/v1/events'))
    await stream.block()
    const viewer = viewConsole(server.url, caller, id, { prefix: consolePath })
    await viewer.opened
    const closed = new Promise<number>((resolve) => viewer.socket.once('close', resolve))
    await remove(user.id)
    expect(await closed).toBe(1008)
    await stream.end()
    expect((await login('leaver', 'hunter two')).status).toBe(401)
    expect(
      await server.admin.refusal('local_idp_user_delete', { params: { user_id: user.id }, query }),
    ).toMatchObject({
      message: `not found: silo-user with id "${user.id}"`,
    })
    await create(undefined, 'leaver')
    // The machine belongs to the project, and keeps running.
    await reaches(server.admin, id, 'running')
  })

  test('leaves role assignments without effect', async () => {
    const user = await create()
    await server.grant({ id: user.id }, 'silo', server.siloId, 'admin')
    await remove(user.id)
    const { role_assignments } = await server.admin.call('policy_view')
    expect(role_assignments.map(({ identity_id }) => identity_id)).toContain(user.id)
  })

  test('leaves an entry in the audit log, without the password', async () => {
    const user = await create({ mode: 'password', value: 'open sesame' })
    await setPassword(user.id, { mode: 'password', value: 'open barley' })
    const { items } = await server.admin.call('audit_entry_list', {
      query: { start_time: user.time_created },
    })
    const about = items.filter(({ target }) => target?.id === user.id)
    expect(about.map(({ operation_id }) => operation_id).sort()).toEqual([
      'local_idp_user_create',
      'local_idp_user_set_password',
    ])
    expect(JSON.stringify(items)).not.toMatch(/open (sesame|barley)/)
  })
})

describe('built-in users', () => {
  test('are listed by name and found by name or id', async () => {
    const { items } = await server.admin.call('user_builtin_list')
    expect(items.map(({ name, id }) => [name, id.slice(-4)])).toEqual([
      ['db-init', '0001'],
      ['external-authn', '0003'],
      ['internal-api', '0002'],
      ['internal-read', '4ead'],
      ['omdb', '00db'],
      ['saga-recovery', '3a8a'],
      ['service-balancer', 'bac3'],
    ])
    for (const user of ['omdb', '001de000-05e4-4000-8000-0000000000db']) {
      expect(await server.admin.call('user_builtin_view', { params: { user } })).toEqual(items[4])
    }
    expect(
      await server.admin.refusal('user_builtin_view', { params: { user: 'admin' } }),
    ).toMatchObject({ status: 404, message: 'not found: user-builtin with name "admin"' })
  })
})

describe('roles', () => {
  test('are listed page by page and found by name', async () => {
    const names: string[] = []
    let page_token: string | undefined
    do {
      const page = await server.admin.call('role_list', { query: { limit: 5, page_token } })
      names.push(...page.items.map(({ name }) => name))
      page_token = page.next_page ?? undefined
    } while (page_token)
    expect(names).toEqual([
      'fleet.admin',
      'fleet.collaborator',
      'fleet.external-authenticator',
      'fleet.viewer',
      'project.admin',
      'project.collaborator',
      'project.limited-collaborator',
      'project.viewer',
      'silo.admin',
      'silo.collaborator',
      'silo.limited-collaborator',
      'silo.viewer',
    ])
    const view = (role_name: string) => ({ params: { role_name } })
    expect(await server.admin.call('role_view', view('silo.limited-collaborator'))).toEqual({
      name: 'silo.limited-collaborator',
      description: 'Silo limited collaborator',
    })
    expect(await server.admin.refusal('role_view', view('silo.emperor'))).toMatchObject({
      status: 404,
      message: 'not found: role with name "silo.emperor"',
    })
  })
})
