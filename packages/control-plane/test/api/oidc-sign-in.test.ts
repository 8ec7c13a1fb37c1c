/** Signing in through an OpenID Connect provider, and the attacks on it. */
import { BlockList } from 'node:net'
import {
  OIDC_ANSWER_MAX,
  OIDC_REQUEST_MS,
  oidcMessages as messages,
  signInMessages,
  PROVIDER_REQUESTS_OF_BROWSER,
  proposedIssuer,
} from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fetchOver } from '../../../node/src/oidc/fetch.ts'
import { Caller } from '../support/caller.ts'
import { stopClocks } from '../support/clock.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { EventStream } from '../support/event-stream.ts'
import { accounts, startIndependentProvider } from '../support/oidc/independent.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  LOGOUT_EVENT,
  oidcProviderBody,
  signedByText,
  startOidcProvider,
  type TestProvider,
  unsigned,
} from '../support/oidc/provider.ts'

let server: TestServer
let idp: TestProvider
let siloId: string

const query = { silo: 'corp' }
const create = (name: string, issuer: string, values: object = {}, silo = 'corp') =>
  server.admin.call('oidc_identity_provider_create', {
    query: { silo },
    body: oidcProviderBody(server.url, silo, name, issuer, values),
  })

beforeAll(async () => {
  const metadataNetworks = new BlockList()
  metadataNetworks.addAddress('127.0.0.1')
  metadataNetworks.addAddress('::1', 'ipv6')
  const trustedProxies = new BlockList()
  trustedProxies.addAddress('127.0.0.1')
  server = await startTestServer({ metadataNetworks, trustedProxies })
  idp = await startOidcProvider()
  siloId = await server.createSilo('corp', { identity_mode: 'saml_jit' })
  await create('idp', idp.issuer)
})
afterAll(async () => {
  await server.close()
  await idp.close()
})
afterEach(() => {
  idp.faults = {}
  vi.useRealTimers()
})

let clients = 0
/** A new client address for every call, because failures slow an address down. */
const address = () => `2001:4860:${(clients++).toString(16)}::2`

interface Begun {
  url: URL
  state: string
  cookie: string
  setCookie: string
}

/** Begins a sign-in in a new browser, or in one with a cookie. */
async function begin(search = '', name = 'idp', cookie?: string): Promise<Begun> {
  const response = await server.anonymous.fetch(`/login/corp/oidc/${name}/redirect${search}`, {
    headers: { 'x-forwarded-for': address(), ...(cookie && { cookie }) },
  })
  expect(response.status, await response.clone().text()).toBe(302)
  const [setCookie] = response.headers.getSetCookie()
  const url = new URL(response.headers.get('location')!)
  const state = url.searchParams.get('state')!
  return { url, state, cookie: setCookie!.split(';')[0]!, setCookie: setCookie! }
}

/** Brings an answer of the provider, as a browser does. */
const bring = (values: Record<string, string>, cookie: string | undefined, name = 'idp') =>
  server.anonymous.fetch(
    `/login/corp/oidc/${name}/callback?${new URLSearchParams(values).toString()}`,
    {
      headers: {
        'sec-fetch-site': 'cross-site',
        'x-forwarded-for': address(),
        ...(cookie && { cookie }),
      },
    },
  )

/** The whole sign-in, as far as it comes. */
async function answered(claims: Parameters<TestProvider['authorize']>[1] = {}, search = '') {
  const { url, state, cookie } = await begin(search)
  return bring({ code: idp.authorize(url, claims), state, iss: idp.issuer }, cookie)
}

const sessionOf = (response: Response): Caller => {
  expect(response.status).toBe(303)
  return new Caller(server.url, response.headers.getSetCookie()[0]!.split(';')[0]!)
}
const signIn = async (...args: Parameters<typeof answered>) => sessionOf(await answered(...args))

async function refusalOf(response: Response, status = 400): Promise<string> {
  const { message } = (await response.json()) as { message: string }
  expect(response.status, message).toBe(status)
  expect(response.headers.getSetCookie()).toEqual([])
  return message
}
const groupsOf = async (caller: Caller) =>
  (await caller.call('current_user_groups')).items.map(({ display_name }) => display_name).sort()

describe('a provider', () => {
  test('is created, listed, changed and shown without its secret, and deleted', async () => {
    const made = await create('made', idp.issuer)
    expect(made).toMatchObject({
      name: 'made',
      issuer: idp.issuer,
      client_id: CLIENT_ID,
      redirect_uri: `${server.url}/login/corp/oidc/made/callback`,
      logout_uri: `${server.url}/login/corp/oidc/made/logout`,
    })
    const view = { params: { provider: 'made' }, query }
    expect(await server.admin.call('oidc_identity_provider_view', view)).toEqual(made)
    const { id: _, name: __, issuer: ___, ...values } = made
    const changed = await server.admin.call('oidc_identity_provider_update', {
      ...view,
      body: { ...values, scopes: ['openid'], groups_claim: null },
    })
    expect(changed).toMatchObject({ scopes: ['openid'], groups_claim: null })
    const secretOf = () =>
      server.db
        .selectFrom('oidc_identity_provider')
        .select('client_secret')
        .where('id', '=', made.id)
        .executeTakeFirst()
    expect(await secretOf()).toEqual({ client_secret: CLIENT_SECRET })
    await server.admin.call('oidc_identity_provider_update', {
      ...view,
      body: { ...values, client_secret: 'another' },
    })
    expect(await secretOf()).toEqual({ client_secret: 'another' })
    const listed = await server.admin.call('oidc_identity_provider_search', { query })
    expect(listed.items.map(({ name }) => name)).toEqual(['idp', 'made'])
    // Clients of the published API know SAML alone.
    expect((await server.admin.call('silo_identity_provider_list', { query })).items).toEqual([])
    await server.admin.call('oidc_identity_provider_delete', view)
    expect(await secretOf()).toEqual({ client_secret: null })
    const log = await server.db.selectFrom('audit_log').selectAll().execute()
    const events = await server.db.selectFrom('event').selectAll().execute()
    expect(JSON.stringify([made, changed, listed, log, events])).not.toContain('a secret with')
  })

  test('is refused if a setting is wrong, or its issuer does not answer as one', async () => {
    const refused = async (values: object, silo = 'corp') => {
      const { status, message } = await server.admin.refusal('oidc_identity_provider_create', {
        query: { silo },
        body: oidcProviderBody(server.url, silo, 'refused', idp.issuer, values),
      })
      return `${status} ${message}`
    }
    expect(await refused({}, 'main')).toBe(`400 ${messages.localOnly}`)
    expect(await refused({ scopes: ['profile'] })).toContain('must contain "openid"')
    for (const redirect_uri of [
      'https://evil.example/callback',
      `${server.url}/login/corp/oidc/idp/callback`,
      'javascript:alert(1)',
    ]) {
      expect(await refused({ redirect_uri })).toMatch(/^400 .*"redirect_uri"/)
    }
    expect(await refused({ issuer: 'file:///etc/passwd' })).toContain('must be a web address')
    expect(await refused({ issuer: `${idp.issuer}?x=1` })).toContain('no query')
    // Addresses inside of the server's networks, unless the operator opens them.
    expect(await refused({ issuer: 'https://10.0.0.1' })).toContain(messages.private)
    expect(await refused({ issuer: 'http://93.184.216.34' })).toContain(messages.plain)
    idp.faults = { metadata: { issuer: 'https://other.example' } }
    expect(await refused({})).toContain('400 unsupported value for "issuer"')
    idp.faults = { metadata: { jwks_uri: undefined } }
    expect(await refused({})).toContain('it publishes no jwks_uri')
    idp.faults = { metadata: { authorization_endpoint: 'javascript:alert(1)' } }
    expect(await refused({})).toContain('it publishes no authorization_endpoint')
    idp.faults = { answer: (_, response) => Boolean(response.writeHead(500).end()) }
    expect(await refused({})).toContain('it answers with status 500')
    idp.faults = { answer: (_, response) => Boolean(response.end('<html>')) }
    expect(await refused({})).toMatch(/^400 /)
    idp.faults = {}
    const taken = { name: 'idp', redirect_uri: `${server.url}/login/corp/oidc/idp/callback` }
    expect(await refused(taken)).toContain('already exists: oidc-identity-provider "idp"')
  })

  test('is found by its configuration, and refusals name the right issuer', async () => {
    const refusal = async () =>
      (
        await server.admin.refusal('oidc_identity_provider_create', {
          query,
          body: oidcProviderBody(server.url, 'corp', 'none', idp.issuer),
        })
      ).message
    const right = `${idp.issuer}/application/o/cloud/`
    idp.faults = { metadata: { issuer: right } }
    const other = await refusal()
    expect(other).toContain(messages.otherIssuer(right))
    expect(proposedIssuer(other)).toBe(right)
    idp.faults = {
      answer: (_, response) =>
        Boolean(
          response
            .writeHead(301, { location: `/moved/.well-known/openid-configuration?x=1` })
            .end(),
        ),
    }
    expect(await refusal()).toContain(messages.redirected(`${idp.issuer}/moved`))
    idp.faults = {}
    const made = await create('cut', ` ${idp.issuer}/.well-known/openid-configuration `)
    expect(made.issuer).toBe(idp.issuer)
    await server.admin.call('oidc_identity_provider_delete', { params: { provider: 'cut' }, query })
  })

  test('may not keep the server waiting, or send without end', async () => {
    idp.faults = { answer: () => true }
    const networks = new BlockList()
    networks.addAddress('127.0.0.1')
    const url = `${idp.issuer}/slow`
    await expect(fetchOver(networks, 50)(url, {})).rejects.toThrow('no answer in time')
    idp.faults = {
      answer(_, response) {
        response.write('{')
        return true
      },
    }
    await expect(fetchOver(networks, 50)(url, {})).rejects.toThrow('no answer in time')
    idp.faults = {
      answer: (_, response) => Boolean(response.end('x'.repeat(OIDC_ANSWER_MAX + 1))),
    }
    await expect(fetchOver(networks)(url, {})).rejects.toThrow(`more than ${OIDC_ANSWER_MAX}`)
    // Nor lead elsewhere.
    idp.faults = {
      answer: (_, response) => Boolean(response.writeHead(302, { location: '/x' }).end()),
    }
    expect((await fetchOver(networks)(url, {})).status).toBe(302)
  })
})

describe('a sign-in', () => {
  test('is a request with PKCE, and creates the user with groups and name', async () => {
    const { url, setCookie } = await begin()
    expect(url.origin + url.pathname).toBe(`${idp.issuer}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT_ID,
      scope: 'openid profile',
      code_challenge_method: 'S256',
      redirect_uri: `${server.url}/login/corp/oidc/idp/callback`,
    })
    expect(setCookie).toMatch(
      /^oidc=[0-9a-f.]+; Path=\/login\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    const response = await answered(
      { sub: 'ada', name: 'Ada L.', groups: ['ops', ' dev ', 'ops'] },
      '?redirect_uri=%2Fprojects%3Fa%3Db',
    )
    expect(response.headers.get('location')).toBe('/projects?a=b')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const ada = sessionOf(response)
    expect(await ada.call('current_user_view')).toMatchObject({
      display_name: 'Ada L.',
      silo_id: siloId,
    })
    expect(await groupsOf(ada)).toEqual(['dev', 'ops'])
    // The next sign-in replaces the groups and the displayed name.
    const again = await signIn({ sub: 'ada', name: 'Ada K.', groups: 'dev' })
    const user = await again.call('current_user_view')
    expect(user).toMatchObject({
      id: (await ada.call('current_user_view')).id,
      display_name: 'Ada K.',
    })
    expect(await groupsOf(again)).toEqual(['dev'])
    const { items } = await server.admin.call('audit_entry_list', {
      query: { operation: 'login_oidc', silo: siloId },
    })
    expect(items.find(({ target }) => target?.id === user.id)?.result).toEqual({
      kind: 'success',
      http_status_code: 303,
    })
  })

  test('reads claims from UserInfo that the ID token lacks, of the same user alone', async () => {
    idp.faults = { userinfo: { sub: 'ulla', name: 'Ulla', groups: ['remote'], aud: 'evil' } }
    const ulla = await signIn({ sub: 'ulla' })
    expect((await ulla.call('current_user_view')).display_name).toBe('Ulla')
    expect(await groupsOf(ulla)).toEqual(['remote'])
    idp.faults = { userinfo: { sub: 'mallory', groups: ['admins'] } }
    await refusalOf(await answered({ sub: 'ulla' }))
  })

  test('needs claims that name a user', async () => {
    const reason = async (claims: object) => refusalOf(await answered({ name: 'x', ...claims }))
    for (const groups of [[1], ['a\u0000b'], [['x']], [null], { a: 1 }]) {
      expect(await reason({ groups })).toBe(messages.refused(messages.badGroups('groups')))
    }
    const many = Array.from({ length: 501 }, (_, index) => `g${index}`)
    expect(await reason({ groups: many })).toBe(messages.refused(signInMessages.tooManyGroups(501)))
    expect(await reason({ _claim_names: { groups: 'src1' } })).toContain('too many groups')
    const view = { params: { provider: 'by-mail' }, query }
    await create('by-mail', idp.issuer, { user_claim: 'email' })
    const byMail = async (claims: object) => {
      const { url, state, cookie } = await begin('', 'by-mail')
      const code = idp.authorize(url, { name: 'x', groups: [], ...claims })
      return bring({ code, state, iss: idp.issuer }, cookie, 'by-mail')
    }
    expect(await refusalOf(await byMail({}))).toContain('no valid "email"')
    const email = 'a@b.example'
    expect(await refusalOf(await byMail({ email }))).toContain(messages.noEmailVerified)
    expect(await refusalOf(await byMail({ email, email_verified: 'false' }))).toContain(
      messages.unverifiedEmail,
    )
    const user = async (claims: object) =>
      (await sessionOf(await byMail({ email_verified: true, ...claims })).call('current_user_view'))
        .id
    const id = await user({ email })
    // Some providers send texts only, or this claim at UserInfo alone; the case may change.
    expect(await user({ email: 'A@B.example', email_verified: 'true' })).toBe(id)
    idp.faults = { userinfo: { sub: 'alice', email_verified: true } }
    const fromUserInfo = await byMail({ sub: 'alice', email })
    expect((await sessionOf(fromUserInfo).call('current_user_view')).id).toBe(id)
    idp.faults = {}
    await server.admin.call('oidc_identity_provider_delete', view)
  })

  test('splits groups in a text, and keeps those of a list whole', async () => {
    const read = async (groups: unknown) =>
      groupsOf(await signIn({ sub: 'lists', name: 'x', groups }))
    expect(await read(' admins , ,ops\n')).toEqual(['admins', 'ops'])
    expect(await read('["admins","ops"]')).toEqual(['admins', 'ops'])
    expect(await read(['CN=admins,OU=x'])).toEqual(['CN=admins,OU=x'])
    const { id, scopes, ...shown } = await server.admin.call('oidc_identity_provider_view', {
      params: { provider: 'idp' },
      query,
    })
    const { description, client_id, user_claim, display_name_claim, groups_claim, redirect_uri } =
      shown
    const settings = { description, client_id, user_claim, display_name_claim, groups_claim }
    const body = { ...settings, redirect_uri, scopes }
    const change = (commas_in_groups: boolean) =>
      server.admin.call('oidc_identity_provider_update', {
        params: { provider: 'idp' },
        query,
        body: { ...body, commas_in_groups },
      })
    await change(true)
    expect(await read('CN=admins,OU=x')).toEqual(['CN=admins,OU=x'])
    const last = await server.admin.call('identity_provider_last_sign_in', {
      params: { provider_id: id },
    })
    expect(last.sign_in).toMatchObject({ name: 'lists', groups: ['CN=admins,OU=x'] })
    await change(false)
  })

  test('refuses an ID token of the future', async () => {
    const iat = Math.floor(Date.now() / 1000)
    const early = { sub: 'early', name: 'x', groups: [] }
    expect((await answered({ ...early, iat: iat + 30 })).status).toBe(303)
    expect(await refusalOf(await answered({ ...early, iat: iat + 600 }))).toContain(messages.future)
  })

  test('with SCIM needs an existing, active user', async () => {
    const scimSilo = await server.createSilo('scim-corp', { identity_mode: 'saml_scim' })
    await create('idp', idp.issuer, {}, 'scim-corp')
    const { id } = await server.createUser('ada', {}, scimSilo)
    const path = '/login/scim-corp/oidc/idp'
    const status = async (sub: string) => {
      const asked = await server.anonymous.fetch(`${path}/redirect`)
      const url = new URL(asked.headers.get('location')!)
      const values = {
        code: idp.authorize(url, { sub, name: 'x', groups: ['new'] }),
        state: url.searchParams.get('state')!,
        iss: idp.issuer,
      }
      const cookie = asked.headers.getSetCookie()[0]!.split(';')[0]!
      const headers = { cookie, 'x-forwarded-for': address() }
      const search = new URLSearchParams(values).toString()
      return (await server.anonymous.fetch(`${path}/callback?${search}`, { headers })).status
    }
    expect(await status('ada')).toBe(303)
    expect(await status('bob')).toBe(401)
    const time_deactivated = new Date().toISOString()
    const users = server.db.updateTable('silo_user').set({ time_deactivated })
    await users.where('id', '=', id).execute()
    expect(await status('ada')).toBe(401)
  })

  test('goes on in several tabs, in any order', async () => {
    const first = await begin()
    const second = await begin('', 'idp', first.cookie)
    const third = await begin('', 'idp', second.cookie)
    for (const { url, state } of [second, first, third]) {
      const code = idp.authorize(url)
      expect((await bring({ code, state, iss: idp.issuer }, third.cookie)).status).toBe(303)
    }
    let { cookie } = third
    for (let tab = 0; tab < PROVIDER_REQUESTS_OF_BROWSER; tab++) {
      cookie = (await begin('', 'idp', cookie)).cookie
    }
    expect(cookie.split('.')).toHaveLength(PROVIDER_REQUESTS_OF_BROWSER)
  })

  test('survives new keys of the provider, and says when it is down', async () => {
    stopClocks()
    await idp.rotate()
    // The keys are read again at most every half minute.
    vi.advanceTimersByTime(60_000)
    await signIn()
    idp.faults = {
      answer: (path, response) => path === '/token' && Boolean(response.writeHead(503).end()),
    }
    expect(await refusalOf(await answered(), 503)).toBe(
      messages.unreachable('it answers with status 503'),
    )
    const lost = await startOidcProvider()
    await create('lost', lost.issuer)
    await lost.close()
    expect((await begin('', 'lost')).url.origin).toBe(lost.issuer)
    const row = { issuer: 'http://127.0.0.1:9' }
    await server.db
      .updateTable('oidc_identity_provider')
      .set(row)
      .where('name', '=', 'lost')
      .execute()
    expect(
      await refusalOf(await server.anonymous.fetch('/login/corp/oidc/lost/redirect'), 503),
    ).toBe(messages.unreachable('the connection failed'))
    await server.db.deleteFrom('oidc_identity_provider').where('name', '=', 'lost').execute()
  })
})

describe('an attack fails', () => {
  test('by an answer in another browser, which would sign a visitor in as somebody else', async () => {
    const { url, state, cookie } = await begin()
    const other = await begin()
    const values = { code: idp.authorize(url), state, iss: idp.issuer }
    for (const foreign of [undefined, 'oidc=0123', `oidc=${'0'.repeat(32)}`, other.cookie]) {
      expect(await refusalOf(await bring(values, foreign))).toBe(
        messages.refused(messages.otherBrowser),
      )
    }
    // Nothing was spent.
    expect((await bring(values, cookie)).status).toBe(303)
  })

  test('but a console at another port of the host disturbs no sign-in half way', async () => {
    const { url, state, cookie } = await begin()
    const values = { code: idp.authorize(url), state, iss: idp.issuer }
    const own = cookie.replace('oidc=', `oidc-${new URL(server.url).port}=`)
    expect((await bring(values, `oidc=${'0'.repeat(32)}; ${own}`)).status).toBe(303)
  })

  test('by an answer that was used, of another code, or too late', async () => {
    const { url, state, cookie } = await begin()
    const values = { code: idp.authorize(url), state, iss: idp.issuer }
    expect((await bring(values, cookie)).status).toBe(303)
    const again = messages.refused(messages.answered)
    expect(await refusalOf(await bring(values, cookie))).toBe(again)
    const fresh = { ...values, code: idp.authorize(url) }
    expect(await refusalOf(await bring(fresh, cookie))).toBe(again)
    // A code of another request, whose verifier differs.
    const [one, two] = [await begin(), await begin()]
    const stolen = { code: idp.authorize(one.url), state: two.state, iss: idp.issuer }
    expect(await refusalOf(await bring(stolen, two.cookie))).toBe(
      messages.refused(messages.reported('invalid_grant')),
    )
    stopClocks()
    const late = await begin()
    vi.advanceTimersByTime(OIDC_REQUEST_MS)
    const kept = { code: idp.authorize(late.url), state: late.state, iss: idp.issuer }
    expect(await refusalOf(await bring(kept, late.cookie))).toBe(messages.refused(messages.expired))
  })

  test('two answers to one request at once sign in once', async () => {
    const { url, state, cookie } = await begin()
    const all = Array.from({ length: 4 }, () =>
      bring({ code: idp.authorize(url), state, iss: idp.issuer }, cookie),
    )
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort()
    expect(statuses).toEqual([303, 400, 400, 400])
  })

  test('by a state that is missing, forged, changed, or of another provider', async () => {
    const { url, state, cookie } = await begin('?redirect_uri=%2Fprojects')
    await create('second', idp.issuer)
    const code = idp.authorize(url)
    const reason = async (given: string, name = 'idp') =>
      refusalOf(await bring({ code, state: given, iss: idp.issuer }, cookie, name))
    const notAsked = messages.refused(messages.notAsked)
    for (const given of ['', 'x', `_${'0'.repeat(32)}-0-${'0'.repeat(32)}`]) {
      expect(await reason(given)).toBe(notAsked)
    }
    const evil = `${state.split('.')[0]}.${Buffer.from('//evil.example').toString('base64url')}`
    expect(await reason(evil)).toBe(messages.refused(messages.otherBrowser))
    expect(await reason(state, 'second')).toBe(notAsked)
    const refused = await server.anonymous.fetch(
      '/login/corp/oidc/idp/redirect?redirect_uri=%2F%2Fevil.example',
    )
    expect(refused.status).toBe(400)
  })

  test('by an answer of another issuer, or without one (mix-up)', async () => {
    for (const iss of ['https://evil.example', `${idp.issuer}/`, undefined]) {
      const { url, state, cookie } = await begin()
      const code = idp.authorize(url)
      await refusalOf(await bring({ code, state, ...(iss && { iss }) }, cookie))
    }
    expect(idp.asked.filter((path) => path === '/token').length).toBeGreaterThan(0)
    const before = idp.asked.length
    const { url, state, cookie } = await begin()
    idp.authorize(url)
    const denied = { error: 'access_denied', error_description: '<b>x', state, iss: idp.issuer }
    expect(await refusalOf(await bring(denied, cookie))).toBe(
      messages.refused(messages.reported('access_denied')),
    )
    // No code was sent anywhere.
    expect(idp.asked.slice(before).filter((path) => path === '/token')).toEqual([])
  })

  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, () => TestProvider['faults']]>([
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['for another audience', () => ({ claims: { aud: 'another' } })],
    ['for several, and another party', () => ({ claims: { aud: [CLIENT_ID, 'x'], azp: 'x' } })],
    ['with another nonce', () => ({ claims: { nonce: 'another' } })],
    ['without a nonce', () => ({ claims: { nonce: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['that has expired', () => ({ claims: { exp: now() - 62 } })],
    ['without an end', () => ({ claims: { exp: undefined } })],
    ['not valid yet', () => ({ claims: { nbf: now() + 120 } })],
    ['without a signature', () => ({ token: unsigned })],
    ['signed by the secret', () => ({ token: (claims) => signedByText(claims, CLIENT_SECRET) })],
    ['of an unknown key', () => ({ header: { kid: 'unknown' } })],
    ['that is no token', () => ({ token: () => 'a.b' })],
    ['changed after signing', () => ({ claims: { sub: 'x' }, header: { alg: 'RS256', kid: '' } })],
    ['that is huge', () => ({ claims: { padding: 'x'.repeat(OIDC_ANSWER_MAX) } })],
  ])('by an ID token %s', async (_, faults) => {
    idp.faults = faults()
    const response = await answered({ name: 'x', groups: [] })
    expect([400, 503]).toContain(response.status)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('by the ID token of another key with the published id', async () => {
    const other = await startOidcProvider()
    onTestFinished(() => other.close())
    idp.faults = {
      token: (claims) =>
        other.logoutToken({ ...claims, events: undefined }, { typ: 'JWT', kid: idp.kid() }),
    }
    const response = await answered({ name: 'x', groups: [] })
    expect(await refusalOf(response)).toContain('signature')
  })

  test('but clocks may differ by a minute', async () => {
    for (const claims of [{ exp: now() - 50 }, { nbf: now() + 50 }]) {
      idp.faults = { claims }
      expect((await answered({ name: 'x', groups: [] })).status).toBe(303)
    }
  })
})

describe('back-channel logout', () => {
  const logout = (token: string, name = 'idp') =>
    server.anonymous.fetch(`/login/corp/oidc/${name}/logout`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': address(),
      },
      body: new URLSearchParams({ logout_token: token }),
    })
  const isSignedIn = async (caller: Caller) => {
    const response = await caller.fetch('/v1/me')
    return response.status === 200
  }

  test('ends one session, or all of a user, with their streams, and tells the browser', async () => {
    const one = await signIn({ sub: 'eve', sid: 'one', name: 'x', groups: [] })
    const two = await signIn({ sub: 'eve', sid: 'two', name: 'x', groups: [] })
    const other = await signIn({ sub: 'other', sid: 'one', name: 'x', groups: [] })
    const stream = new EventStream(await one.fetch('/x/v1/events'))
    await stream.block()
    const token = await idp.logoutToken({ sub: 'eve', sid: 'one' })
    const response = await logout(token)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    await stream.end()
    expect(await isSignedIn(one)).toBe(false)
    expect(await isSignedIn(two)).toBe(true)
    const page = await one.fetch('/x/v1/login/corp')
    expect(await page.json()).toMatchObject({ signed_out_because: 'provider' })
    const again = await signIn({ sub: 'eve', sid: 'one', name: 'x', groups: [] })
    // The same token has no effect a second time.
    expect((await logout(token)).status).toBe(200)
    expect(await isSignedIn(again)).toBe(true)
    expect((await logout(await idp.logoutToken({ sub: 'eve' }))).status).toBe(200)
    expect([await isSignedIn(two), await isSignedIn(again)]).toEqual([false, false])
    expect(await isSignedIn(other)).toBe(true)
  })

  test('is refused for any other token', async () => {
    const caller = await signIn({ sub: 'stays', sid: 's', name: 'x', groups: [] })
    const claims = { sub: 'stays', sid: 's' }
    const tokens = [
      'x',
      unsigned({ iss: idp.issuer, aud: CLIENT_ID, ...claims }),
      await idp.logoutToken({ ...claims, aud: 'another' }),
      await idp.logoutToken({ ...claims, iss: 'https://evil.example' }),
      await idp.logoutToken({ ...claims, iat: now() - 600 }),
      await idp.logoutToken({ ...claims, jti: undefined }),
      await idp.logoutToken({ ...claims, nonce: 'an ID token has one' }),
      await idp.logoutToken({ ...claims, events: {} }),
      await idp.logoutToken({ ...claims, events: LOGOUT_EVENT }),
      await idp.logoutToken({}),
      await idp.logoutToken(claims, { typ: 'at+jwt' }),
      await signedByText({ iss: idp.issuer, aud: CLIENT_ID, ...claims }, CLIENT_SECRET),
    ]
    for (const token of tokens) {
      const response = await logout(token)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
    expect(await isSignedIn(caller)).toBe(true)
  })

  const now = () => Math.floor(Date.now() / 1000)

  test('and the deletion of the provider ends its sessions', async () => {
    await create('going', idp.issuer)
    const { url, state, cookie } = await begin('', 'going')
    const values = { code: idp.authorize(url, { name: 'x', groups: [] }), state, iss: idp.issuer }
    const caller = sessionOf(await bring(values, cookie, 'going'))
    const pending = await begin('', 'going')
    await server.admin.call('oidc_identity_provider_delete', {
      params: { provider: 'going' },
      query,
    })
    expect(await isSignedIn(caller)).toBe(false)
    const late = { code: idp.authorize(pending.url), state: pending.state, iss: idp.issuer }
    await refusalOf(await bring(late, pending.cookie, 'going'), 404)
  })
})

describe('signing out here', () => {
  /** A provider of its own, whose configuration is read with these fields. */
  async function leaving(name: string, metadata: object, values: object = {}) {
    idp.faults = { metadata }
    await create(name, idp.issuer, { sign_out_at_provider: true, ...values })
  }
  const endpoint = () => ({ end_session_endpoint: `${idp.issuer}/end?lang=en` })

  /** The session of somebody who has signed in, with the token that the provider gave. */
  async function entered(name: string) {
    const { url, state, cookie } = await begin('', name)
    let idToken = ''
    idp.faults.token = async (claims) => (idToken = await idp.idToken(claims))
    const values = {
      code: idp.authorize(url, { sub: 'leaver', name: 'x', groups: [] }),
      state,
      iss: idp.issuer,
    }
    const caller = sessionOf(await bring(values, cookie, name))
    return { caller, idToken }
  }
  const isSignedIn = async (caller: Caller) => (await caller.fetch('/v1/me')).status === 200

  async function leave(caller: Caller, headers: Record<string, string> = {}) {
    const response = await caller.fetch('/x/v1/logout', { method: 'POST', headers })
    const { provider_url } = (await response.json()) as { provider_url: string | null }
    const cookies = response.headers
      .getSetCookie()
      .map((each) => each.split(';')[0]!)
      // That of the port ends with it.
      .filter((each) => !each.startsWith('session-'))
    return { status: response.status, url: provider_url, cookies }
  }

  const back = (search: string, cookie?: string, name = 'leaving') =>
    server.anonymous
      .fetch(`/login/corp/oidc/${name}/signed-out${search}`, {
        headers: { 'sec-fetch-site': 'cross-site', ...(cookie && { cookie }) },
        redirect: 'manual',
      })
      .then((response) => [response.status, response.headers.get('location')])

  test('leads to the provider with its ID token, and back to its login page', async () => {
    await leaving('leaving', endpoint())
    const { caller, idToken } = await entered('leaving')
    const stored = await server.db
      .selectFrom('console_session')
      .select('oidc_id_token')
      .where('oidc_subject', '=', 'leaver')
      .executeTakeFirstOrThrow()
    // A copy of the database has no tokens.
    expect(stored.oidc_id_token).toMatch(/^[\w+/=-]{100,}$/)
    expect(Buffer.from(stored.oidc_id_token!, 'base64').toString()).not.toContain(idToken)

    const { url, cookies } = await leave(caller)
    expect(await isSignedIn(caller)).toBe(false)
    const there = new URL(url!)
    expect(there.origin + there.pathname).toBe(`${idp.issuer}/end`)
    const { state, ...parameters } = Object.fromEntries(there.searchParams)
    expect(parameters).toEqual({
      lang: 'en',
      client_id: CLIENT_ID,
      id_token_hint: idToken,
      post_logout_redirect_uri: `${server.url}/login/corp/oidc/leaving/signed-out`,
    })
    const [session, proof] = cookies
    expect(session).toBe('session=')
    expect(await back(`?state=${state}`, proof)).toEqual([303, '/login/corp/oidc/leaving'])
    // A second call finds no session.
    expect(await leave(caller)).toMatchObject({ status: 200, url: null })

    // Neither another browser, nor a forged or late state, nor a parameter leads elsewhere.
    const general = [303, '/login']
    expect(await back(`?state=${state}`)).toEqual(general)
    expect(await back('?state=forged', proof)).toEqual(general)
    expect(await back('', proof)).toEqual(general)
    expect(await back('?redirect_uri=https://evil.example/', proof)).toEqual(general)
    expect(await back(`?state=${state}.aHR0cHM6Ly9ldmlsLmV4YW1wbGU`, proof)).toEqual(general)
    expect(await back(`?state=${state}`, proof, 'idp')).toEqual(general)
    expect(await back(`?state=${state}`, proof, 'gone')).toEqual(general)
    expect(await back(`?state=${state}`, proof, '%2F%2Fevil.example')).toEqual([400, null])
    stopClocks()
    vi.advanceTimersByTime(OIDC_REQUEST_MS)
    expect(await back(`?state=${state}`, proof)).toEqual(general)
  })

  test('cannot be done by another site', async () => {
    await leaving('forging', endpoint())
    const { caller } = await entered('forging')
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ] as Record<string, string>[]) {
      expect((await leave(caller, headers)).status).toBe(403)
    }
    expect(await isSignedIn(caller)).toBe(true)
  })

  test.each([
    ['is not set to it', { sign_out_at_provider: false }, {}],
    ['publishes no address', {}, { end_session_endpoint: undefined }],
    ['publishes no web address', {}, { end_session_endpoint: 'javascript:alert(1)' }],
  ])('stays here if the provider %s', async (_, values, metadata) => {
    const name = `staying-${clients++}`
    await leaving(name, { ...endpoint(), ...metadata }, values)
    const { caller } = await entered(name)
    expect(await leave(caller)).toMatchObject({ status: 200, url: null, cookies: ['session='] })
    expect(await isSignedIn(caller)).toBe(false)
  })

  test('ends the session if the provider is down, deleted, or without a token', async () => {
    await leaving('fading', endpoint())
    const sessions = [await entered('fading'), await entered('fading'), await entered('fading')]
    const [down, untold, deleted] = sessions.map(({ caller }) => caller) as [Caller, Caller, Caller]
    const rows = () => server.db.updateTable('oidc_identity_provider').where('name', '=', 'fading')
    await rows().set({ issuer: 'http://127.0.0.1:9' }).execute()
    expect(await leave(down)).toMatchObject({ status: 200, url: null })
    expect(await isSignedIn(down)).toBe(false)

    await rows().set({ issuer: idp.issuer }).execute()
    await server.db.updateTable('console_session').set({ oidc_id_token: null }).execute()
    const { searchParams } = new URL((await leave(untold)).url!)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      logout_hint: 'leaver',
    })
    expect(searchParams.has('id_token_hint')).toBe(false)

    await server.admin.call('oidc_identity_provider_delete', {
      params: { provider: 'fading' },
      query,
    })
    expect(await leave(deleted)).toMatchObject({ status: 200, url: null })
    expect(await isSignedIn(deleted)).toBe(false)
    const { caller: local } = await server.createUser('stays-here')
    expect(await leave(local)).toMatchObject({ status: 200, url: null })
    expect(await leave(server.anonymous)).toMatchObject({ status: 200, url: null })
  })
})

test('users sign in and out by an independent provider', async () => {
  const path = `${server.url}/login/corp/oidc/independent`
  const independent = await startIndependentProvider(`${path}/callback`, `${path}/logout`)
  onTestFinished(() => independent.close())
  await create('independent', independent.issuer)
  /** A browser at the provider, which follows redirects there. */
  const jar = new Map<string, string>()
  const visit = async (url: URL): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!
      if (value) jar.set(name!, value)
      else jar.delete(name!)
    }
    const location = response.headers.get('location')
    if (!location) return response
    const next = new URL(location, url)
    return next.origin === independent.issuer ? visit(next) : response
  }
  const { url, cookie } = await begin('', 'independent')
  const choice = await (await visit(url)).text()
  const link = /href="([^"]+\/as\/ada)"/.exec(choice)![1]!
  const back = new URL((await visit(new URL(link, independent.issuer))).headers.get('location')!)
  const answer = await bring(Object.fromEntries(back.searchParams), cookie, 'independent')
  const ada = sessionOf(answer)
  expect((await ada.call('current_user_view')).display_name).toBe('ada of the provider')
  expect(await groupsOf(ada)).toEqual([...accounts.ada!].sort())
  // Signing out there ends the session here.
  const page = await (await visit(new URL(`${independent.issuer}/session/end`))).text()
  const [, action] = /action="([^"]+)"/.exec(page)!
  const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(page)!
  await fetch(new URL(action!, independent.issuer), {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    body: new URLSearchParams({ xsrf: xsrf!, logout: 'yes' }),
  })
  await expect.poll(async () => (await ada.fetch('/v1/me')).status).toBe(401)
})
