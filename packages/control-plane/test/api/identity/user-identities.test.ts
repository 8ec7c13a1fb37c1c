/** Users belong to the identity provider through which they sign in; linking them is explicit. */
import { userIdentityMessages as messages } from '@steading/api/rules'
import { Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../../node/src/sqlite.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { Caller } from '../../support/caller.ts'
import { answer } from '../../support/saml/provider.ts'
import {
  allowIdpInitiated,
  cookieOf,
  form,
  post,
  providerBody,
  server,
  siloId,
  useSilo,
} from '../../support/saml/silo.ts'
import { patchOf, providerWith, tokenFor } from '../../support/scim.ts'

useSilo()

async function newProvider(name: string, of = 'corp'): Promise<string> {
  const acs_url = `${server.url}/login/${of}/saml/${name}`
  const { id } = await server.admin.call('saml_identity_provider_create', {
    query: { silo: of },
    body: providerBody(name, { acs_url }),
  })
  await allowIdpInitiated(name, true, of)
  return id
}
const sent = (provider: string, nameId: string, of = 'corp') => {
  const path = `/login/${of}/saml/${provider}`
  return post(form(answer({ acs: server.url + path, nameId })), path)
}
async function signIn(provider: string, nameId: string, of = 'corp'): Promise<string> {
  const response = await sent(provider, nameId, of)
  expect(response.status, await response.clone().text()).toBe(303)
  return (await new Caller(server.url, cookieOf(response)).call('current_user_view')).id
}
const refusal = async (provider: string, nameId: string, of = 'corp') => {
  const response = await sent(provider, nameId, of)
  return { status: response.status, ...((await response.json()) as { message: string }) }
}
const link = (user_id: string, provider: string, name: string) => ({
  params: { user_id },
  query: { silo: 'corp' },
  body: { provider, name },
})
const linksOf = async (user_id: string) =>
  (
    await server.admin.call('user_identity_list', {
      params: { user_id },
      query: { silo: 'corp' },
    })
  ).items.map(({ provider_name, name }) => `${provider_name} ${name}`)

let second: string
beforeAll(async () => {
  second = await newProvider('second')
})

describe('with two providers in one silo', () => {
  test('a name at each of them is another user', async () => {
    const alice = await signIn('okta', 'alice')
    const other = await signIn('second', 'alice')
    expect(other).not.toBe(alice)
    expect(await signIn('okta', 'alice')).toBe(alice)
    expect(await signIn('second', 'alice')).toBe(other)
    expect(await linksOf(alice)).toEqual(['okta alice'])
    expect(await linksOf(other)).toEqual(['second alice'])
  })

  test('a user is linked to the second by an administrator, and unlinked again', async () => {
    const bob = await signIn('okta', 'bob')
    const member = await signIn('okta', 'member')
    const caller = new Caller(server.url, cookieOf(await sent('okta', 'member')))
    expect(
      (await caller.refusal('user_identity_link', link(member, second, 'robert'))).status,
    ).toBe(403)
    await server.admin.call('user_identity_link', link(bob, second, 'robert'))
    expect(await signIn('second', 'robert')).toBe(bob)
    expect(await linksOf(bob)).toEqual(['okta bob', 'second robert'])
    expect(
      await server.admin.refusal('user_identity_link', link(member, second, 'robert')),
    ).toMatchObject({ status: 400, message: messages.taken('robert') })
    const opened = new Caller(server.url, cookieOf(await sent('second', 'robert')))
    await server.admin.call('user_identity_unlink', {
      params: { user_id: bob, provider_id: second },
      query: { silo: 'corp' },
    })
    expect((await opened.refusal('current_user_view')).status).toBe(401)
    expect(await signIn('second', 'robert')).not.toBe(bob)
    const foreign = await server.createSilo('foreign', { identity_mode: 'saml_jit' })
    expect(foreign).not.toBe(siloId)
    const elsewhere = await newProvider('foreign', 'foreign')
    expect(
      await server.admin.refusal('user_identity_link', link(bob, elsewhere, 'bob')),
    ).toMatchObject({ status: 400, message: messages.otherSilo })
  })

  test('a user whose provider is unknown signs in only after an administrator has linked them', async () => {
    const carol = await signIn('okta', 'carol')
    await server.db.deleteFrom('user_identity').where('user_id', '=', carol).execute()
    for (const provider of ['okta', 'second']) {
      const refused = await refusal(provider, 'carol')
      expect(refused).toMatchObject({ status: 400, message: messages.unlinked('carol') })
    }
    await server.admin.call('user_identity_link', link(carol, second, 'carol'))
    expect(await signIn('second', 'carol')).toBe(carol)
  })
})

test('the only provider of a silo takes over the users of a deleted one', async () => {
  await server.createSilo('moving', { identity_mode: 'saml_jit' })
  await newProvider('before', 'moving')
  const dora = await signIn('before', 'dora', 'moving')
  const params = { provider: 'before' }
  await server.admin.call('saml_identity_provider_delete', { params, query: { silo: 'moving' } })
  await newProvider('after', 'moving')
  expect(await signIn('after', 'dora', 'moving')).toBe(dora)
  // With two providers left, an administrator has to give the users to one of them.
  const third = await newProvider('third', 'moving')
  await server.admin.call('saml_identity_provider_delete', {
    params: { provider: 'after' },
    query: { silo: 'moving' },
  })
  const adopted = await server.admin.call('identity_provider_adopt_users', {
    params: { provider_id: third },
  })
  expect(adopted).toEqual({ count: 1 })
  expect(await signIn('third', 'dora', 'moving')).toBe(dora)
})

test('users of a directory sign in through the first provider only, in upper or lower case', async () => {
  const id = await server.createSilo('directory', { identity_mode: 'saml_scim' })
  const directory = providerWith(server, id, await tokenFor(server, 'directory'))
  const early = await directory.user('early')
  await newProvider('first', 'directory')
  await newProvider('later', 'directory')
  const eve = await directory.user('Eve@corp.example')
  expect(await signIn('first', 'early', 'directory')).toBe(early.id)
  expect(await signIn('first', 'eve@corp.example', 'directory')).toBe(eve.id)
  expect((await refusal('later', 'Eve@corp.example', 'directory')).status).toBe(401)
  const renamed = patchOf({ op: 'replace', path: 'userName', value: 'eva@corp.example' })
  await directory.ok(200, 'PATCH', `/Users/${eve.id}`, renamed)
  expect(await signIn('first', 'eva@corp.example', 'directory')).toBe(eve.id)
  expect((await refusal('first', 'eve@corp.example', 'directory')).status).toBe(401)
  // A name is free again once its user is deleted.
  await directory.ok(204, 'DELETE', `/Users/${eve.id}`)
  const next = await directory.user('eva@corp.example')
  expect(await signIn('first', 'eva@corp.example', 'directory')).toBe(next.id)
})

describe('after an upgrade', () => {
  test('users belong to the only provider of the silo, or the only one they have used', async () => {
    const db: Kysely<any> = new Kysely<any>({ dialect: openSqlite(':memory:').kysely })
    onTestFinished(() => db.destroy())
    for (const [name, up] of Object.entries(migrations)) {
      if (name === '2026-12-12-identity-users') break
      await up(db, 'sqlite')
    }
    const add = async (table: string, values: Record<string, unknown>) => {
      const { rows } = await sql<{ name: string; type: string; notnull: number }>`
        select name, type, "notnull" from pragma_table_info(${table}) where dflt_value is null
      `.execute(db)
      const blank = rows
        .filter(({ notnull }) => notnull === 1)
        .map(({ name, type }) => [name, type === 'text' ? '' : 0])
      await db
        .insertInto(table)
        .values({ ...Object.fromEntries(blank), ...values })
        .execute()
    }
    const time_created = '2026-01-01T00:00:00.000Z'
    for (const id of ['single', 'double']) {
      await add('silo', { id, name: id, identity_mode: 'saml_jit' })
    }
    const provider = { time_created }
    await add('saml_identity_provider', { ...provider, id: 's', name: 's', silo_id: 'single' })
    await add('saml_identity_provider', { ...provider, id: 'd', name: 'd', silo_id: 'double' })
    await add('oidc_identity_provider', { ...provider, id: 'o', name: 'o', silo_id: 'double' })
    const user = (id: string, silo_id: string) =>
      add('silo_user', { id, silo_id, external_id: `name of ${id}`, time_created })
    await user('only', 'single')
    for (const id of ['by-saml', 'by-oidc', 'by-both', 'never']) await user(id, 'double')
    let entries = 0
    const signedIn = (actor_id: string, request_uri: string) =>
      add('audit_log', {
        id: String(entries++),
        time_completed: '2026-02-01T00:00:00.000Z',
        actor_id,
        operation_id: 'login_saml',
        result: 'success',
        request_uri,
      })
    await signedIn('by-saml', '/login/double/saml/d')
    await signedIn('by-oidc', '/login/double/oidc/o/callback?code=c&state=s')
    await signedIn('by-both', '/login/double/saml/d?x')
    await signedIn('by-both', '/login/double/oidc/o/callback?code=d')
    await migrations['2026-12-12-identity-users']!(db, 'sqlite')
    const links = await db.selectFrom('user_identity').selectAll().orderBy('user_id').execute()
    expect(links.map(({ user_id, provider_id, name }) => [user_id, provider_id, name])).toEqual([
      ['by-oidc', 'o', 'name of by-oidc'],
      ['by-saml', 'd', 'name of by-saml'],
      ['only', 's', 'name of only'],
    ])
  })
})
