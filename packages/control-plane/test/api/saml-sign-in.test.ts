/** Control plane specification 2.4: signing in through a SAML identity provider. */
import { verify } from 'node:crypto'
import {
  nameFormats,
  samlMessages,
  signInMessages,
  PROVIDER_REQUESTS_OF_BROWSER,
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
} from '@steading/api/rules'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Caller } from '../support/caller.ts'
import { stopClocks } from '../support/clock.ts'
import { dsaKey, ellipticKey, provider, service, stranger } from '../support/saml/keys.ts'
import { answer, base64, signed, SP_ENTITY_ID, SSO_URL } from '../support/saml/provider.ts'
import { ADMIN_PASSWORD } from '../support/harness.ts'
import {
  acs,
  allowIdpInitiated,
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
import { aroundNow, fromNow } from '../support/times.ts'

useSilo()
afterEach(() => void vi.useRealTimers())

describe('the redirect to the provider', () => {
  test('is a request with its sender and the address for the answer', async () => {
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

  test('is refused for an unknown provider, and for a target on another host', async () => {
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
  test('to a request signs in, creates the user, and continues to the requested page', async () => {
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

  test('without a request signs in, and continues to the first page', async () => {
    for (const state of [undefined, '', 'https://evil.example', base64('{"redirect_uri":"//e"}')]) {
      const response = await post(form(answer({ acs }), state))
      expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    }
  })

  test('sets the groups of a user; groups without members stay', async () => {
    const first = await signInWith({
      nameId: 'grace',
      groups: ['admins', ' ops ', 'dev', ' ', 'dev'],
    })
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

  test('splits groups at commas, unless the provider has commas in their names', async () => {
    const read = async (...groups: string[]) =>
      groupsOf(await signInWith({ nameId: 'lists', groups }))
    expect(await read('admins,ops')).toEqual(['admins', 'ops'])
    expect(await read(' admins , ,ops\n')).toEqual(['admins', 'ops'])
    const many = Array.from({ length: 501 }, (_, index) => `g${index}`).join()
    expect(await refusalOf(answer({ acs, groups: [many] }))).toBe(
      extract(signInMessages.tooManyGroups(501)),
    )
    const change = (commas_in_groups: boolean) =>
      server.admin.call('saml_sign_in_settings_update', {
        params: { provider: 'okta' },
        query: { silo: 'corp' },
        body: { idp_initiated: true, commas_in_groups },
      })
    await change(true)
    expect(await read('CN=admins,OU=x')).toEqual(['CN=admins,OU=x'])
    const { id } = await server.admin.call('saml_identity_provider_view', {
      params: { provider: 'okta' },
      query: { silo: 'corp' },
    })
    const last = await server.admin.call('identity_provider_last_sign_in', {
      params: { provider_id: id },
    })
    expect(last.sign_in).toMatchObject({ name: 'lists', groups: ['CN=admins,OU=x'] })
    await change(false)
  })

  test('knows users by names that last, and by addresses in any case', async () => {
    const subject = (name: string, format: string) =>
      `<saml:Subject><saml:NameID Format="${format}">${name}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${fromNow(300_000).toISOString()}" Recipient="${acs}"/></saml:SubjectConfirmation></saml:Subject>`
    const users = () => server.db.selectFrom('silo_user').select('id').execute()
    const before = (await users()).length
    expect(await refusalOf(answer({ acs, subject: subject('_a1', nameFormats.transient) }))).toBe(
      extract(samlMessages.transient),
    )
    expect((await users()).length).toBe(before)
    const id = async (name: string) =>
      (
        await (
          await signInWith({ subject: subject(name, nameFormats.emailAddress) })
        ).call('current_user_view')
      ).id
    const lower = await id('b@x.example')
    expect(await id('B@X.example')).toBe(lower)
  })

  test('is refused if it was issued in the future', async () => {
    const issued = (minutes: number) =>
      `<saml:AuthnStatement AuthnInstant="${aroundNow(minutes * 60_000).toISOString()}"/>`
    expect((await post(form(answer({ acs, statement: issued(0.5) })))).status).toBe(303)
    expect(await refusalOf(answer({ acs, statement: issued(10) }))).toBe(
      extract(samlMessages.future),
    )
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

  test('may be signed by dsa-sha256, with other digests, and twice', async () => {
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

  test('may limit the session, which use does not extend', async () => {
    const statement = (...ends: number[]) =>
      ends
        .map(
          (minutes) =>
            `<saml:AuthnStatement AuthnInstant="2020-01-01T00:00:00Z" SessionNotOnOrAfter="${fromNow(minutes * 60_000).toISOString()}"/>`,
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
    // The limit of the server also applies, and the ended session is not shown.
    expect(Date.parse(own!.time_expires)).toBe(Date.parse(own!.time_created) + 86_400_000)
    expect((await long.call('current_user_session_list')).items).toHaveLength(1)
  })

  test('is in the audit log, without its contents', async () => {
    await signInWith({ nameId: 'audited', groups: ['secret group'] })
    await refusalOf(answer({ acs, nameId: 'audited' }, { key: stranger }))
    const { items } = await server.admin.call('audit_entry_list', {
      query: { operation: 'login_saml', silo: siloId },
    })
    const refused = items.findLast(({ result }) => result.kind === 'error')!
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
    await allowIdpInitiated('okta', true, scimSilo)
  })
  const status = async (nameId: string) =>
    (await post(form(answer({ acs: scimAcs, nameId, groups: ['new'] })), scimPath)).status

  test('signs in only an existing user, and leaves the groups alone', async () => {
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

describe('an answer must come from the browser that made the request', () => {
  const other = { cookie: 'x=y' }
  const asked = async () => {
    const { id, cookie } = await redirect()
    return { xml: () => answer({ acs, inResponseTo: id }), cookie }
  }

  test('so that no page can sign a visitor in as somebody else', async () => {
    const { xml, cookie } = await asked()
    const otherRequest = await redirect()
    // The victim's browser has no cookie, a forged one, or one for other requests.
    for (const foreign of [other.cookie, 'saml=0123', `saml=${'0'.repeat(32)}`]) {
      const response = await post(form(xml()), PATH, { cookie: foreign })
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { message: extract(samlMessages.otherBrowser) },
      ])
      expect(response.headers.getSetCookie()).toEqual([])
    }
    const [newest] = otherRequest.cookie.slice('saml='.length).split('.')
    expect((await post(form(xml()), PATH, { cookie: `saml=${newest}` })).status).toBe(400)
    // Nothing was spent.
    expect((await post(form(xml()), PATH, { cookie })).status).toBe(303)
  })

  test('whatever a console at another port of the host does half way', async () => {
    const { xml, cookie } = await asked()
    const own = cookie.replace('saml=', `saml-${new URL(server.url).port}=`)
    const both = `saml=${'0'.repeat(32)}; ${own}`
    expect((await post(form(xml()), PATH, { cookie: both })).status).toBe(303)
  })

  test('also in several tabs, in any order', async () => {
    const tabs = [await asked(), await asked(), await asked()]
    for (const { xml } of [tabs[1]!, tabs[2]!, tabs[0]!]) {
      expect((await post(form(xml()), PATH, { cookie: tabs[2]!.cookie })).status).toBe(303)
    }
    for (let tab = 0; tab < PROVIDER_REQUESTS_OF_BROWSER; tab++) await redirect()
    const { cookie } = await redirect()
    expect(cookie.split('.')).toHaveLength(PROVIDER_REQUESTS_OF_BROWSER)
  })

  test('by a cookie that survives the way back from another site', async () => {
    // Only over TLS, for which the address for the answers decides, even behind a proxy.
    const { setCookie } = await redirect()
    expect(setCookie).toMatch(/^saml=[0-9a-f.]+; Path=\/login\/; HttpOnly; Max-Age=600$/)
    await server.admin.call('saml_identity_provider_create', {
      query: { silo: 'corp' },
      body: providerBody('over-tls', { acs_url: 'https://cloud.example/login/corp/saml/over-tls' }),
    })
    expect((await redirect('', 'over-tls')).setCookie).toMatch(
      /^saml=[0-9a-f.]+; Path=\/login\/; HttpOnly; SameSite=None; Secure; Max-Age=600$/,
    )
  })

  test('unless the provider may begin the sign-in', async () => {
    const settings = () =>
      server.admin.call('saml_sign_in_settings_view', {
        params: { provider: 'okta' },
        query: { silo: 'corp' },
      })
    expect(await settings()).toEqual({ idp_initiated: true, commas_in_groups: false })
    expect((await post(form(answer({ acs })), PATH, other)).status).toBe(303)
    await allowIdpInitiated('okta', false)
    onTestFinished(() => void allowIdpInitiated('okta', true))
    expect(await settings()).toEqual({ idp_initiated: false, commas_in_groups: false })
    const response = await post(form(answer({ acs })), PATH, other)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { message: extract(samlMessages.unasked) },
    ])
    // By default a new provider may not.
    const query = { silo: 'corp' }
    await server.admin.call('saml_identity_provider_create', { query, body: providerBody('new') })
    expect(
      await server.admin.call('saml_sign_in_settings_view', { params: { provider: 'new' }, query }),
    ).toEqual({ idp_initiated: false, commas_in_groups: false })
  })
})

describe('failures slow down', () => {
  let network = 0
  const office = () => `2001:4860:ffff:${(256 * network++).toString(16)}::1`
  const status = async (body: string, from: string, cookie?: string) =>
    (await post(body, PATH, { from, cookie: cookie ?? 'x=y' })).status

  test("nobody, if the answer is not the provider's", async () => {
    const from = office()
    const garbage = [
      'SAMLResponse=x',
      form('<a>'),
      form(answer({ acs, issuer: 'https://evil.example' })),
    ]
    for (let count = 0; count < 60; count++) {
      expect(await status(garbage[count % garbage.length]!, from)).toBe(400)
    }
    expect(await status(form(answer({ acs })), from)).toBe(303)
    const password = await server.anonymous.fetch('/v1/login/main/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    })
    expect(password.status).toBe(204)
  })

  test('an address that forges answers, but not answers requested by its browsers @long', async () => {
    const from = office()
    for (let count = 0; count < 3; count++) {
      expect(await status(form(answer({ acs })), from)).toBe(303)
    }
    const forged = form(answer({ acs }, { key: stranger }))
    for (let count = 0; count < SIGN_IN_FREE_FAILURES_OF_ADDRESS; count++) {
      expect(await status(forged, from)).toBe(400)
    }
    expect(await status(form(answer({ acs })), from)).toBe(429)
    const { id, cookie } = await redirect()
    expect(await status(form(answer({ acs, inResponseTo: id })), from, cookie)).toBe(303)
    // Passwords are counted separately.
    const password = await server.anonymous.fetch('/v1/login/main/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    })
    expect(password.status).toBe(204)
  })

  test('a browser that brings forged answers to one request', async () => {
    const from = office()
    const { id, cookie } = await redirect()
    const forged = form(answer({ acs, inResponseTo: id }, { key: stranger }))
    for (let count = 0; count < SIGN_IN_FREE_FAILURES; count++) {
      expect(await status(forged, from, cookie)).toBe(400)
    }
    expect(await status(forged, from, cookie)).toBe(429)
    const next = await redirect()
    const right = form(answer({ acs, inResponseTo: next.id }))
    expect(await status(right, from, next.cookie)).toBe(303)
  })
})
