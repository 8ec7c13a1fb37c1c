/** Control plane specification 2.4: signing in through a SAML identity provider. */
import { verify } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Caller } from '../support/caller.ts'
import { stopClocks } from '../support/clock.ts'
import { dsaKey, ellipticKey, provider, service, stranger } from '../support/saml/keys.ts'
import { answer, base64, signed, SP_ENTITY_ID, SSO_URL } from '../support/saml/provider.ts'
import {
  acs,
  cookieOf,
  extract,
  form,
  groupsOf,
  PATH,
  post,
  providerBody,
  redirect,
  refusalOf,
  server,
  signInWith,
  siloId,
  useSilo,
} from '../support/saml/silo.ts'

useSilo()
afterEach(() => void vi.useRealTimers())

describe('the way to the provider', () => {
  test('is a request that says who asks, and where the answer goes', async () => {
    const { url, xml, relayState } = await redirect('?redirect_uri=%2Fprojects%3Fa%3Db')
    expect(url.href.startsWith(`${SSO_URL}&SAMLRequest=`)).toBe(true)
    expect(xml).toContain(`AssertionConsumerServiceURL="${acs}"`)
    expect(xml).toContain(`Destination="${SSO_URL}"`)
    expect(xml).toContain(`>${SP_ENTITY_ID}</saml:Issuer>`)
    expect(xml).toContain('urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified')
    expect(JSON.parse(atob(relayState))).toEqual({ redirect_uri: '/projects?a=b' })
    expect(JSON.parse(atob((await redirect()).relayState))).toEqual({ redirect_uri: null })
    expect(url.searchParams.has('Signature')).toBe(false)
  })

  test('is signed if the provider has a key pair', async () => {
    const { url } = await redirect('', 'signs-requests')
    const [text, signature] = url.search.slice('?tenant=1&'.length).split('&Signature=')
    expect(url.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
    const bytes = Buffer.from(decodeURIComponent(signature!), 'base64')
    expect(verify('sha256', Buffer.from(text!), service.certificate, bytes)).toBe(true)
  })

  test('is refused for an unknown provider, and for a way on to another host', async () => {
    const refused = (path: string) => server.anonymous.refused('GET', path)
    expect(await refused('/login/corp/saml/none/redirect')).toEqual({
      status: 404,
      error_code: 'ObjectNotFound',
      message: 'not found: identity-provider with name "none"',
    })
    expect((await refused('/login/none/saml/okta/redirect')).message).toBe(
      'not found: silo with name "none"',
    )
    expect((await refused('/login/main/saml/okta/redirect')).status).toBe(404)
    for (const uri of ['//evil.example', 'https://evil.example', '/\\evil.example', 'x']) {
      const { status, message } = await refused(
        `/login/corp/saml/okta/redirect?redirect_uri=${encodeURIComponent(uri)}`,
      )
      expect([status, message]).toEqual([400, expect.stringContaining('not a relative URI')])
    }
  })

  test('leads from a page of the console to the first provider of the silo', async () => {
    const host = `corp.sys.cloud.example`
    const response = await server.host.controlPlane.consolePage(
      new Request(`https://${host}/projects?page=2`),
    )
    expect(response!.headers.get('location')).toBe(
      '/login/corp/saml/okta?redirect_uri=%2Fprojects%3Fpage%3D2',
    )
  })
})

describe('an answer', () => {
  test('to a request signs in, makes the user, and goes on where the user wanted to go', async () => {
    const { id, relayState } = await redirect('?redirect_uri=/settings')
    const response = await post(
      form(answer({ acs, nameId: 'ada@corp.example', inResponseTo: id }), relayState),
    )
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^session=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    const caller = new Caller(server.url, cookieOf(response))
    expect(await caller.call('current_user_view')).toMatchObject({
      display_name: 'ada@corp.example',
      silo_id: siloId,
      silo_name: 'corp',
      silo_admin: false,
    })
  })

  test('that nobody asked for signs in, and goes to the first page', async () => {
    for (const state of [undefined, '', 'https://evil.example', base64('{"redirect_uri":"//e"}')]) {
      const response = await post(form(answer({ acs }), state))
      expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    }
  })

  test('decides the groups of a user, which stay when nobody is in them', async () => {
    const first = await signInWith({ nameId: 'grace', groups: ['admins, ops', 'dev', ' , dev '] })
    expect(await groupsOf(first)).toEqual(['admins', 'dev', 'ops'])
    const second = await signInWith({ nameId: 'grace', groups: ['dev', 'night shift'] })
    expect((await second.call('current_user_view')).id).toBe(
      (await first.call('current_user_view')).id,
    )
    expect(await groupsOf(second)).toEqual(['dev', 'night shift'])
    const third = await signInWith({ nameId: 'grace' })
    expect(await groupsOf(third)).toEqual([])
    const all = (await third.call('group_list')).items.map(({ display_name }) => display_name)
    expect(all.sort()).toEqual(['admins', 'dev', 'night shift', 'ops'])
  })

  test('gives the roles of its groups', async () => {
    const group = await server.createGroup('silo admins', [], siloId)
    await server.grant({ id: group, type: 'silo_group' }, 'silo', siloId, 'admin')
    const caller = await signInWith({ nameId: 'root', groups: ['silo admins'] })
    expect((await caller.call('current_user_view')).silo_admin).toBe(true)
    const demoted = await signInWith({ nameId: 'root' })
    expect((await demoted.call('current_user_view')).silo_admin).toBe(false)
  })

  test.each([
    ['rsa-sha224', provider],
    ['rsa-sha384', provider],
    ['rsa-sha512', provider],
    ['ecdsa-sha224', ellipticKey],
    ['ecdsa-sha256', ellipticKey],
    ['ecdsa-sha384', ellipticKey],
    ['ecdsa-sha512', ellipticKey],
  ])('may be signed by %s', async (name, key) => {
    const algorithm = `http://www.w3.org/2001/04/xmldsig-more#${name}`
    const xml = answer({ acs }, { key, algorithm })
    expect((await post(form(xml))).status).toBe(303)
  })

  test('may be signed by dsa-sha256, with other digests, and signed twice', async () => {
    const dsa = 'http://www.w3.org/2009/xmldsig11#dsa-sha256'
    expect((await post(form(answer({ acs }, { key: dsaKey, algorithm: dsa })))).status).toBe(303)
    for (const digest of [
      'http://www.w3.org/2001/04/xmldsig-more#sha384',
      'http://www.w3.org/2001/04/xmlenc#sha512',
    ]) {
      expect((await post(form(answer({ acs }, { digest })))).status).toBe(303)
    }
    const both = signed(answer({ acs }), { of: 'Response' })
    expect((await post(form(both))).status).toBe(303)
  })

  test('may be a minute early or late, because clocks differ', async () => {
    for (const said of [{ notBefore: 0.9 }, { notOnOrAfter: -0.9 }]) {
      expect((await post(form(answer({ acs, ...said })))).status).toBe(303)
    }
  })

  test('may say when the session ends, which then no use of it puts off', async () => {
    const statement = (...ends: number[]) =>
      ends
        .map(
          (minutes) =>
            `<saml:AuthnStatement AuthnInstant="2020-01-01T00:00:00Z" SessionNotOnOrAfter="${new Date(Date.now() + minutes * 60_000).toISOString()}"/>`,
        )
        .join('')
    stopClocks()
    const began = Date.now()
    const caller = await signInWith({ nameId: 'short', statement: statement(30, 10) })
    const { items } = await caller.call('current_user_session_list')
    // The clocks may differ by a minute.
    expect(items[0]!.time_expires).toBe(new Date(began + 11 * 60_000).toISOString())
    vi.advanceTimersByTime(10.9 * 60_000)
    expect((await caller.call('current_user_view')).display_name).toBe('short')
    vi.advanceTimersByTime(0.2 * 60_000)
    expect((await caller.refusal('current_user_view')).status).toBe(401)
    const long = await signInWith({ nameId: 'short', statement: statement(10_000_000) })
    const [own] = (await long.call('current_user_session_list')).items
    // The limit of the server counts as well, and the session that has ended is not shown.
    expect(Date.parse(own!.time_expires)).toBe(Date.parse(own!.time_created) + 86_400_000)
    expect((await long.call('current_user_session_list')).items).toHaveLength(1)
  })

  test('stands in the audit log, without what it says', async () => {
    await signInWith({ nameId: 'audited', groups: ['secret group'] })
    await refusalOf(answer({ acs, nameId: 'audited' }, { key: stranger }))
    const { items } = await server.admin.call('audit_entry_list', {
      query: { operation: 'login_saml', silo: siloId },
    })
    const refused = items.find(({ result }) => result.kind === 'error')!
    const allowed = items.find(({ target }) => target?.name === 'audited')!
    expect(allowed.result).toEqual({ kind: 'success', http_status_code: 303 })
    expect(refused.result).toMatchObject({
      error_message: extract('the signature does not match'),
    })
    expect(JSON.stringify(items)).not.toContain('secret group')
  })
})

describe('an answer with SCIM', () => {
  const scimPath = '/login/by-scim/saml/okta'
  let scimSilo: string
  let scimAcs: string
  beforeAll(async () => {
    scimAcs = server.url + scimPath
    scimSilo = await server.createSilo('by-scim', { identity_mode: 'saml_scim' })
    await server.admin.call('saml_identity_provider_create', {
      query: { silo: scimSilo },
      body: providerBody('okta', { acs_url: scimAcs }),
    })
  })
  const status = async (nameId: string) =>
    (await post(form(answer({ acs: scimAcs, nameId, groups: ['new'] })), scimPath)).status

  test('signs in only a user who is there, and leaves the groups alone', async () => {
    const { id } = await server.createUser('ada', {}, scimSilo)
    await server.createGroup('old', [id], scimSilo)
    expect(await status('ada')).toBe(303)
    expect(await groupsOf(await server.signInAs(id))).toEqual(['old'])
    expect(await status('bob')).toBe(401)
  })

  test('does not sign in a deactivated user', async () => {
    const { id } = await server.createUser('gone', {}, scimSilo)
    const time_deactivated = new Date().toISOString()
    await server.db
      .updateTable('silo_user')
      .set({ time_deactivated })
      .where('id', '=', id)
      .execute()
    expect(await status('gone')).toBe(401)
  })
})

test('failures slow an address down, successes do not', async () => {
  const send = async (body: string) =>
    (
      await server.anonymous.fetch(PATH, {
        method: 'POST',
        body,
        headers: { 'x-forwarded-for': '2001:4860:ffff::1' },
      })
    ).status
  for (let count = 0; count < 3; count++) expect(await send(form(answer({ acs })))).toBe(303)
  for (let count = 0; count < 50; count++) expect(await send('SAMLResponse=x')).toBe(400)
  expect(await send(form(answer({ acs })))).toBe(429)
})
