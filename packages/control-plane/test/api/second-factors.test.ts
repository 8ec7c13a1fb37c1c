/** Second factors of local users: one-time passwords, recovery codes and passkeys. */
import {
  lackingFor,
  notPresentPassword,
  PASSKEYS_MAX,
  RECOVERY_CODES,
  SECOND_FACTOR_REQUIRED,
  secondFactorMessages as messages,
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_STEP_MS,
  TOTP_PERIOD_S,
} from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuthenticator, oneTimePassword, type Wrong } from '../support/authenticator.ts'
import { Caller } from '../support/caller.ts'
import { stopClocks } from '../support/clock.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { fromNow } from '../support/times.ts'

let server: TestServer
/** The server at a host name, where browsers permit passkeys. */
let url: string
beforeAll(async () => {
  server = await startTestServer()
  url = server.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => server.close())
beforeEach(() => stopClocks())
afterEach(() => void vi.useRealTimers())

const PASSWORD = 'a password of the tests'
const later = (periods = 1) => void vi.advanceTimersByTime(periods * TOTP_PERIOD_S * 1000)
const codeOf = (secret: string, periods = 0) =>
  oneTimePassword(secret, fromNow(periods * TOTP_PERIOD_S * 1000).getTime())

/** A browser, which keeps its cookies. */
class Browser {
  readonly cookies = new Map<string, string>()

  async send(method: string, path: string, body?: unknown, origin?: string): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(cookie && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(origin && { origin }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!
      if (value) this.cookies.set(name!, value)
      else this.cookies.delete(name!)
    }
    return response
  }

  /** Sends a request, and expects a status. */
  async answer<T = unknown>(method: string, path: string, body?: unknown, status = 200) {
    const response = await this.send(method, path, body)
    const text = await response.text()
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

  refusal = async (method: string, path: string, body?: unknown, status = 400) =>
    (await this.answer<{ message: string }>(method, path, body, status)).message

  password = (username: string, silo = 'main') =>
    this.send('POST', `/v1/login/${silo}/local`, { username, password: PASSWORD })

  get signedIn(): boolean {
    return this.cookies.has('session')
  }

  get caller(): Caller {
    return new Caller(url, `session=${this.cookies.get('session')}`)
  }
}

const step = (silo = 'main') => `/x/v1/login/${silo}/second-factor`

interface Setup {
  secret: string
  options: string
  uri: string
}
interface Step {
  methods: string[]
  setup: string[]
  passkey_options: string | null
}

let users = 0
/** A local user with a password, who is signed in. */
async function newUser(silo = 'main') {
  const name = `user-${users++}`
  const { id } = await server.admin.call('local_idp_user_create', {
    query: { silo },
    body: { external_id: name, password: { mode: 'password', value: PASSWORD } },
  })
  const browser = new Browser()
  expect((await browser.password(name, silo)).status).toBe(204)
  return { name, id, browser }
}

const proof = { current_password: PASSWORD }

async function addTotp({ caller }: Browser) {
  const { secret } = (await caller.call('factor_setup_begin', {
    body: { type: 'totp' },
  })) as unknown as Setup
  const { recovery_codes } = await caller.call('factor_setup', {
    body: { ...proof, factor: { type: 'totp', secret, code: codeOf(secret) } },
  })
  return { secret, codes: recovery_codes! }
}

async function addPasskey({ caller }: Browser, authenticator = createAuthenticator(url)) {
  const { options } = (await caller.call('factor_setup_begin', {
    body: { type: 'passkey' },
  })) as unknown as Setup
  const response = authenticator.register(options)
  await caller.call('factor_setup', {
    body: { ...proof, factor: { type: 'passkey', name: 'laptop', response } },
  })
  return authenticator
}

describe('one-time passwords', () => {
  test('are set up by a code, and needed at the next sign-in', async () => {
    const { name, browser } = await newUser()
    const { caller } = browser
    const begun = (await caller.call('factor_setup_begin', {
      body: { type: 'totp' },
    })) as unknown as Setup
    expect(begun.uri).toContain(`otpauth://totp/Steading:${name}?`)
    const setUp = (values: object, given: object = proof) =>
      caller.refusal('factor_setup', {
        body: { ...given, factor: { type: 'totp', secret: begun.secret, ...values } },
      })
    expect((await setUp({ code: '000000' })).message).toContain(messages.wrongCode)
    expect((await setUp({ code: codeOf(begun.secret), secret: 'AAAA' })).status).toBe(400)
    for (const given of [{}, { current_password: 'wrong' }]) {
      expect((await setUp({ code: codeOf(begun.secret) }, given)).message).toContain(
        notPresentPassword,
      )
    }
    const { secret, codes } = await addTotp(browser)
    expect(new Set(codes).size).toBe(RECOVERY_CODES)
    expect(await caller.call('sign_in_security_view')).toMatchObject({
      local: true,
      has_password: true,
      time_totp: new Date().toISOString(),
      recovery_codes: RECOVERY_CODES,
      policy: 'optional',
    })

    const next = new Browser()
    const refused = await next.password(name)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error_code: SECOND_FACTOR_REQUIRED },
    ])
    expect(refused.headers.getSetCookie()[0]).toMatch(
      /^sign-in=\S+; Path=\/x\/v1\/login; HttpOnly; SameSite=Strict; Max-Age=600$/,
    )
    expect(next.signedIn).toBe(false)
    expect(await next.answer<Step>('GET', step())).toMatchObject({
      username: name,
      methods: ['totp', 'recovery_code'],
      passkey_options: null,
      setup: [],
    })
    // The code of the setup was used there.
    const use = (code: string) => ({ type: 'totp', code })
    expect(await next.refusal('POST', step(), use(codeOf(secret)))).toContain(messages.wrongCode)
    for (const wrong of ['', '12345', 'abcdef', '0'.repeat(300), codeOf(secret, 5)]) {
      await next.refusal('POST', step(), use(wrong))
    }
    later()
    const code = codeOf(secret)
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await next.answer('POST', step(), use(typed))).toEqual({ signed_in: true })
    expect((await next.caller.call('current_user_view')).display_name).toBe(name)
    // Neither the code nor the ticket works twice.
    const again = new Browser()
    await again.password(name)
    await again.refusal('POST', step(), use(code))
    later()
    const { cookies } = again
    const ticket = cookies.get('sign-in')!
    await again.answer('POST', step(), use(codeOf(secret)))
    later(2)
    for (const each of ['sign-in', `sign-in-${new URL(url).port}`]) cookies.set(each, ticket)
    await again.answer('POST', step(), use(codeOf(secret)), 401)
    const log = await server.db.selectFrom('audit_log').selectAll().execute()
    const events = await server.db.selectFrom('event').selectAll().execute()
    expect(JSON.stringify([log, events])).not.toContain(secret)
    expect(
      log.filter(({ operation_id }) => operation_id === 'second_factor_use').at(-2),
    ).toMatchObject({ target_name: name })
  })

  test('accept a clock that differs by one period, each code once, at two servers too', async () => {
    const { name, browser } = await newUser()
    const { secret } = await addTotp(browser)
    later(3)
    const attempt = async (code: string) => {
      const next = new Browser()
      await next.password(name)
      return (await next.send('POST', step(), { type: 'totp', code })).status
    }
    expect(await attempt(codeOf(secret, -2))).toBe(400)
    expect(await attempt(codeOf(secret, 2))).toBe(400)
    expect(await attempt(codeOf(secret, -1))).toBe(200)
    const code = codeOf(secret, 1)
    expect((await Promise.all([attempt(code), attempt(code)])).sort()).toEqual([200, 400])
    // An older one is refused after a newer one, as when the clock is set back.
    expect(await attempt(codeOf(secret))).toBe(400)
  })

  test('are guessed slowly, without locking out the owner at a known device', async () => {
    const { name, browser } = await newUser()
    const { secret } = await addTotp(browser)
    later()
    const owner = new Browser()
    await owner.password(name)
    await owner.answer('POST', step(), { type: 'totp', code: codeOf(secret) })
    const attacker = new Browser()
    await attacker.password(name)
    const guess = { type: 'totp', code: '000000' }
    for (let count = 0; count < SIGN_IN_FREE_FAILURES; count++) {
      await attacker.refusal('POST', step(), guess)
    }
    await attacker.answer('POST', step(), guess, 429)
    const other = new Browser()
    await other.password(name)
    await other.answer('POST', step(), guess, 429)
    later()
    const home = new Browser()
    home.cookies.set('device', owner.cookies.get('device')!)
    await home.password(name)
    await home.answer('POST', step(), { type: 'totp', code: codeOf(secret) })
    expect(home.signedIn).toBe(true)
  })

  test('are replaced by a recovery code once', async () => {
    const { name, browser } = await newUser()
    const { codes } = await addTotp(browser)
    const attempt = async (code: string) => {
      const next = new Browser()
      await next.password(name)
      return (await next.send('POST', step(), { type: 'recovery_code', code })).status
    }
    const [one] = codes
    expect(await attempt(`${one!.slice(0, 4)}-${one!.slice(4).toUpperCase()} `)).toBe(200)
    expect(await attempt(one!)).toBe(400)
    const { caller } = browser
    expect((await caller.call('sign_in_security_view')).recovery_codes).toBe(RECOVERY_CODES - 1)
    const { recovery_codes } = await caller.call('recovery_codes_create', { body: proof })
    expect(await attempt(codes[1]!)).toBe(400)
    expect(await attempt(recovery_codes![0]!)).toBe(200)
    const stored = await server.db.selectFrom('recovery_code').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(recovery_codes![1]!)
    await caller.call('factor_remove', { body: { ...proof, factor: { type: 'totp' } } })
    expect(await caller.call('sign_in_security_view')).toMatchObject({
      time_totp: null,
      recovery_codes: 0,
    })
    expect((await new Browser().password(name)).status).toBe(204)
  })
})

describe('the step after the password', () => {
  test('needs its own ticket, which ends with time, the password, the user, and the silo', async () => {
    const { name, id, browser } = await newUser()
    const { secret } = await addTotp(browser)
    later()
    const use = () => ({ type: 'totp', code: codeOf(secret) })
    const stranger = new Browser()
    await stranger.answer('POST', step(), use(), 401)
    const next = new Browser()
    await next.password(name)
    const ticket = next.cookies.get('sign-in')!
    for (const forged of [`${ticket}x`, ticket.replace(/\.n\./, '.v.'), 'x', ticket.slice(1)]) {
      stranger.cookies.set('sign-in', forged)
      await stranger.answer('GET', step(), undefined, 401)
    }
    await server.createSilo(`other-of-${name}`, {})
    await next.answer('POST', step(`other-of-${name}`), use(), 401)
    // Another site cannot use it.
    const foreign = await next.send('POST', step(), use(), 'https://evil.example')
    expect(foreign.status).toBe(403)
    // A user with a factor cannot set up another one by the password alone.
    await next.answer('POST', `${step()}/setup`, { type: 'totp' }, 401)
    vi.advanceTimersByTime(SIGN_IN_STEP_MS)
    await next.answer('GET', step(), undefined, 401)
    await next.password(name)
    await server.admin.call('local_idp_user_set_password', {
      params: { user_id: id },
      query: { silo: 'main' },
      body: { mode: 'password', value: 'another password' },
    })
    await next.answer('POST', step(), use(), 401)
  })

  test('leads users to set up what the silo requires', async () => {
    const silo = 'strict'
    await server.createSilo(silo, { identity_mode: 'local_only' })
    const { name, id, browser } = await newUser(silo)
    const setPolicy = (second_factor: 'optional' | 'required' | 'passkey') =>
      server.admin.call('sign_in_policy_update', { params: { silo }, body: { second_factor } })
    expect(await setPolicy('required')).toEqual({ second_factor: 'required' })
    // The session goes on; the next sign-in needs a factor.
    expect((await browser.caller.call('current_user_view')).id).toBe(id)
    const next = new Browser()
    expect((await next.password(name, silo)).status).toBe(403)
    expect(await next.answer<Step>('GET', step(silo))).toMatchObject({
      methods: [],
      setup: ['totp', 'passkey'],
    })
    const { secret } = await next.answer<Setup>('POST', `${step(silo)}/setup`, { type: 'totp' })
    const path = `${step(silo)}/setup`
    const factor = { type: 'totp', secret, code: codeOf(secret) }
    await next.refusal('PUT', path, { ...factor, code: '000000' })
    const { recovery_codes } = await next.answer<{ recovery_codes: string[] }>('PUT', path, factor)
    expect(recovery_codes).toHaveLength(RECOVERY_CODES)
    expect(next.signedIn).toBe(true)
    // With a policy of passkeys, one-time passwords lead to the setup of one.
    await setPolicy('passkey')
    later()
    const third = new Browser()
    await third.password(name, silo)
    await third.answer('POST', path, { type: 'passkey' }, 401)
    const used = await third.answer('POST', step(silo), { type: 'totp', code: codeOf(secret) })
    expect([used, third.signedIn]).toEqual([{ signed_in: false }, false])
    expect(await third.answer<Step>('GET', step(silo))).toMatchObject({
      methods: [],
      setup: ['passkey'],
    })
    const { options } = await third.answer<Setup>('POST', path, { type: 'passkey' })
    const authenticator = createAuthenticator(url)
    const response = authenticator.register(options)
    const passkey = { type: 'passkey', name: 'key', response }
    expect(await third.answer('PUT', path, passkey)).toEqual({ recovery_codes: null })
    expect(third.signedIn).toBe(true)
    // From now on one-time passwords do not suffice.
    later()
    const fourth = new Browser()
    await fourth.password(name, silo)
    const { methods, passkey_options } = await fourth.answer<Step>('GET', step(silo))
    expect(methods).toEqual(['passkey', 'recovery_code'])
    expect(await fourth.refusal('POST', step(silo), { type: 'totp', code: codeOf(secret) })).toBe(
      messages.notPermitted,
    )
    await fourth.answer('POST', step(silo), {
      type: 'passkey',
      response: authenticator.use(passkey_options!),
    })
    expect(fourth.signedIn).toBe(true)
  })

  test('an administrator removes the factors of a user, who is signed out', async () => {
    const { name, id, browser } = await newUser()
    await addTotp(browser)
    await addPasskey(browser)
    await server.admin.call('user_factors_delete', { params: { user_id: id } })
    expect((await browser.caller.refusal('current_user_view')).status).toBe(401)
    expect((await new Browser().password(name)).status).toBe(204)
    const { items } = await server.admin.call('audit_entry_list', {
      query: { operation: 'user_factors_delete' },
    })
    expect(items[0]?.target?.name).toBe(name)
  })

  test('users of identity providers have no factors here', async () => {
    const silo = await server.createSilo('elsewhere', { identity_mode: 'saml_jit' })
    const { caller } = await server.createUser('remote', {}, silo)
    expect(await caller.call('sign_in_security_view')).toMatchObject({ local: false })
    const refusal = await caller.refusal('factor_setup_begin', { body: { type: 'totp' } })
    expect(refusal.status).toBe(404)
    await new Browser().answer('POST', '/x/v1/login/elsewhere/passkey/options', undefined, 404)
  })
})

describe('passkeys', () => {
  const alone = '/x/v1/login/main/passkey'
  const begin = async (browser: Browser) =>
    (await browser.answer<{ options: string }>('POST', `${alone}/options`)).options

  test('are registered with names, listed, renamed, used after the password, and removed', async () => {
    const { name, browser } = await newUser()
    const { caller } = browser
    const authenticator = await addPasskey(browser)
    const { passkeys } = await caller.call('sign_in_security_view')
    expect(passkeys).toMatchObject([
      { name: 'laptop', host: 'localhost', synced: false, time_last_used: null },
    ])
    const { id } = passkeys[0]!
    await caller.call('passkey_update', { params: { passkey_id: id }, body: { name: 'desk' } })
    const { browser: other } = await newUser()
    const rename = { params: { passkey_id: id }, body: { name: 'stolen' } }
    expect((await other.caller.refusal('passkey_update', rename)).status).toBe(404)
    const removal = { ...proof, factor: { type: 'passkey' as const, id } }
    expect((await other.caller.refusal('factor_remove', { body: removal })).status).toBe(404)

    const next = new Browser()
    await next.password(name)
    // A console at another port of the host has overwritten the plain cookie.
    next.cookies.set('sign-in', 'of.the.other')
    const { methods, passkey_options } = await next.answer<Step>('GET', step())
    expect(methods).toEqual(['passkey', 'recovery_code'])
    const response = authenticator.use(passkey_options!, { verified: false })
    await next.answer('POST', step(), { type: 'passkey', response })
    expect(next.signedIn).toBe(true)
    expect((await caller.call('sign_in_security_view')).passkeys).toMatchObject([
      { name: 'desk', time_last_used: new Date().toISOString() },
    ])
    await caller.call('factor_remove', { body: removal })
    expect((await new Browser().password(name)).status).toBe(204)
  })

  test('sign in alone, if the authenticator has verified the user', async () => {
    const { name, id, browser } = await newUser()
    const authenticator = await addPasskey(browser)
    const next = new Browser()
    const options = await begin(next)
    // A console at another port of the host has overwritten the plain cookie.
    next.cookies.set('passkey', '0'.repeat(32))
    expect(JSON.parse(options)).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    const unverified = authenticator.use(options, { verified: false })
    expect(await next.refusal('POST', alone, { response: unverified })).toContain('verif')
    const response = authenticator.use(options)
    // In another browser, and in another silo.
    await new Browser().refusal('POST', alone, { response })
    await next.answer('POST', alone, { response }, 204)
    expect((await next.caller.call('current_user_view')).display_name).toBe(name)
    // Once only.
    await next.refusal('POST', alone, { response })
    // Not a user who may no longer sign in.
    await server.admin.call('local_idp_user_set_password', {
      params: { user_id: id },
      query: { silo: 'main' },
      body: { mode: 'login_disallowed' },
    })
    const late = authenticator.use(await begin(next))
    await next.answer('POST', alone, { response: late }, 401)
  })

  const attacks: [string, Wrong][] = [
    ['of another site', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['with another challenge', { challenge: Buffer.from('x').toString('base64url') }],
    ['of another key', { forged: true }],
    ['of a copied authenticator', { counter: 1 }],
  ]
  test.each(attacks)('an answer %s is refused', async (_, wrong) => {
    const { browser } = await newUser()
    const authenticator = await addPasskey(browser)
    const next = new Browser()
    await next.answer('POST', alone, { response: authenticator.use(await begin(next)) }, 204)
    await next.answer('POST', alone, { response: authenticator.use(await begin(next)) }, 204)
    next.cookies.delete('session')
    const response = authenticator.use(await begin(next), wrong)
    expect(await next.refusal('POST', alone, { response })).toMatch(/^the passkey was refused: /)
    expect(next.signedIn).toBe(false)
  })

  test('an answer that is nonsense is refused', async () => {
    const next = new Browser()
    await begin(next)
    const key = createAuthenticator(url).use(await begin(next))
    const nested = JSON.stringify({ id: {}, response: null })
    for (const response of ['', 'null', '[]', '{}', '{"id":1}', key, nested, '"x"', '1e999']) {
      await next.refusal('POST', alone, { response })
    }
    const { browser } = await newUser()
    const { caller } = browser
    await caller.call('factor_setup_begin', { body: { type: 'passkey' } })
    for (const response of ['', '{}', '{"id":"x","rawId":"x","type":"public-key","response":{}}']) {
      const factor = { type: 'passkey' as const, name: 'x', response }
      const { status } = await caller.refusal('factor_setup', { body: { ...proof, factor } })
      expect(status).toBe(400)
    }
  })

  test('a registration belongs to its session, and is used once', async () => {
    const { browser } = await newUser()
    const other = await newUser()
    const { caller } = browser
    const { options } = (await caller.call('factor_setup_begin', {
      body: { type: 'passkey' },
    })) as unknown as Setup
    const factorOf = (wrong?: Wrong) => ({
      type: 'passkey' as const,
      name: 'key',
      response: createAuthenticator(url).register(options, wrong),
    })
    const factor = factorOf()
    const refusal = async (by: Caller, given: typeof factor) =>
      (await by.refusal('factor_setup', { body: { ...proof, factor: given } })).message
    expect(await refusal(other.browser.caller, factor)).toContain(messages.stale)
    expect(await refusal(caller, factorOf({ origin: 'https://evil.example' }))).toContain('origin')
    expect(await refusal(caller, factorOf({ host: 'evil.example' }))).toContain('RP ID')
    await caller.call('factor_setup', { body: { ...proof, factor } })
    expect(await refusal(caller, factorOf())).toContain(messages.stale)
    vi.advanceTimersByTime(SIGN_IN_STEP_MS)
    const begun = (await caller.call('factor_setup_begin', {
      body: { type: 'passkey' },
    })) as unknown as Setup
    vi.advanceTimersByTime(SIGN_IN_STEP_MS)
    const late = createAuthenticator(url).register(begun.options)
    expect(await refusal(caller, { ...factor, response: late })).toContain(messages.stale)
  })

  test('are limited in number, and refused at an IP address', async () => {
    const { browser, id } = await newUser()
    await addPasskey(browser)
    const first = await server.db
      .selectFrom('passkey')
      .selectAll()
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: PASSKEYS_MAX - 1 }, (_, index) => ({
      ...first,
      id: crypto.randomUUID(),
      credential_id: `${first.credential_id}${index}`,
    }))
    await server.db.insertInto('passkey').values(more).execute()
    const begun = { body: { type: 'passkey' as const } }
    expect((await browser.caller.refusal('factor_setup_begin', begun)).message).toBe(
      messages.tooMany,
    )
    expect((await server.admin.refusal('factor_setup_begin', begun)).message).toBe(messages.noHost)
    const page = await fetch(`${server.url}/x/v1/login/main`)
    expect(await page.json()).toMatchObject({ passkeys: false })
    expect(await new Browser().answer('GET', '/x/v1/login/main')).toMatchObject({ passkeys: true })
  })
})

describe('administrators see the factors of users', () => {
  const silo = 'factors'
  const list = async (caller: Caller, query: object) =>
    (await caller.call('user_details_list', { query: { silo, ...query } })).items.map(
      ({ display_name, second_factors }) => [display_name, second_factors],
    )

  test('in the list, by a filter, and by their number', async () => {
    await server.createSilo(silo)
    const [none, app, key, both] = [
      await newUser(silo),
      await newUser(silo),
      await newUser(silo),
      await newUser(silo),
    ]
    await addTotp(app.browser)
    await addPasskey(key.browser)
    await addTotp(both.browser)
    await addPasskey(both.browser)
    // Nobody asks a user without a password for a factor.
    await server.admin.call('local_idp_user_create', {
      query: { silo },
      body: { external_id: 'z-locked', password: { mode: 'login_disallowed' } },
    })
    const { admin } = server
    expect(await list(admin, {})).toEqual([
      [none.name, []],
      [app.name, ['totp']],
      [key.name, ['passkey']],
      [both.name, ['totp', 'passkey']],
      ['z-locked', []],
    ])
    const names = async (second_factor: string) =>
      (await list(admin, { second_factor })).map(([name]) => name)
    expect(await names('none')).toEqual([none.name])
    expect(await names('no_passkey')).toEqual([none.name, app.name])
    expect(await names('totp')).toEqual([app.name, both.name])
    expect(await names('passkey')).toEqual([key.name, both.name])
    expect(await names('none,passkey')).toEqual([none.name, key.name, both.name])
    const query = { silo, second_factor: lackingFor.passkey, limit: 1 }
    const page = await admin.call('user_details_list', { query })
    expect(page).toMatchObject({ total: 2, items: [{ id: none.id }] })
    // The token of the next page carries the filter.
    const next = await admin.call('user_details_list', { query: { page_token: page.next_page! } })
    expect(next).toMatchObject({ total: 2, items: [{ id: app.id }] })
    expect(
      await admin.call('user_details_view', { params: { user_id: none.id } }).catch(String),
    ).toContain('404')

    expect(
      await admin.refusal('user_details_list', { query: { second_factor: 'sms' } }),
    ).toMatchObject({ status: 400 })
    await server.admin.call('sign_in_policy_update', {
      params: { silo },
      body: { second_factor: 'optional' },
    })
    expect(await none.browser.caller.refusal('user_details_list', {})).toMatchObject({
      status: 403,
    })
  })

  test('of a silo with an identity provider there are none', async () => {
    const siloId = await server.createSilo('provided')
    await server.db
      .updateTable('silo')
      .set({ identity_mode: 'saml_jit' })
      .where('id', '=', siloId)
      .execute()
    await server.createUser('guest', {}, siloId)
    const query = { silo: 'provided' }
    expect(await list(server.admin, query)).toEqual([['guest', []]])
    expect(await list(server.admin, { ...query, second_factor: 'none' })).toEqual([])
  })
})
