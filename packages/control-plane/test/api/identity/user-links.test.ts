/** Invitations, forgotten passwords and mail addresses: links for people who are not signed in. */
import {
  commonPassword,
  FORGOTTEN_FREE_OF_USER,
  FORGOTTEN_MAILS_A_DAY,
  FORGOTTEN_WAITING_MAX,
  newPasswordProblem,
  PASSWORD_MIN,
  USER_LINK_FREE_USES,
  notificationMessages,
  userLinkMessages,
  userLinkValidMs,
  userNameOf,
} from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { tidyUserLinks } from '../../../src/resources/identity/user-links/tidy.ts'
import { unclaimed } from '../../../src/kernel/db/leases.ts'
import { digest } from '../../../src/kernel/secrets.ts'
import { Caller } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { fromNow } from '../../support/times.ts'

const PASSWORD = 'a fine long password'
const query = { silo: 'main' }

let server: TestServer
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({
    smtpUrl: mail.url,
    mailFrom: 'Cloud <cloud@example.com>',
    consoleUrl: 'https://cloud.example',
  })
})
afterAll(async () => {
  await mail.close()
  await server.close()
})
beforeEach(() => {
  mail.mails.length = 0
})
afterEach(() => void vi.useRealTimers())

/** Waits for the reconciler, which takes its time on a busy machine. */
const patiently = { timeout: 120_000, interval: 25 }

let count = 0
/** A user who cannot sign in yet. */
const invited = async (name = `person-${count++}`, silo = 'main') => {
  const body = { external_id: name, password: { mode: 'login_disallowed' } } as const
  const { id } = await server.admin.call('local_idp_user_create', { query: { silo }, body })
  return { name, user_id: id, params: { user_id: id } }
}
type Person = Awaited<ReturnType<typeof invited>>

const setPassword = ({ params }: Person, value: string | null, caller = server.admin) =>
  caller.call('local_idp_user_set_password', {
    params,
    query,
    body: value === null ? { mode: 'login_disallowed' } : { mode: 'password', value },
  })

const link = (
  { params }: Person,
  body: { delivery: 'mail' | 'copy'; mail_address?: string } = { delivery: 'copy' },
) => server.admin.call('user_link_create', { params, query, body })
const tokenFor = async (person: Person) => (await link(person)).token!

const use = (token: string, password: string | undefined = PASSWORD) =>
  server.anonymous.call('user_link_use', { body: { token, password } })
const refused = (token: string, password: string | undefined = PASSWORD) =>
  server.anonymous.refusal('user_link_use', { body: { token, password } })
const view = (token: string) => server.anonymous.call('user_link_view', { body: { token } })

const badLink = { status: 404, message: userLinkMessages.badLink }

const signIn = (username: string, password = PASSWORD, silo = 'main') =>
  server.anonymous.send('POST', `/v1/login/${silo}/local`, { body: { username, password } })
const sessionOf = async (name: string, password = PASSWORD) =>
  new Caller(server.url, (await signIn(name, password)).headers.get('set-cookie')!.split(';')[0])

const details = (person: Person) => server.admin.call('user_details_view', person)

/** The next mail to an address. */
const mailTo = (address: string, number = 1) =>
  vi.waitFor(() => {
    const found = mail.mails.filter(({ to }) => [to].flat()[0]?.text === address)
    expect(found.length).toBeGreaterThanOrEqual(number)
    return found.at(-1)!
  }, patiently)
const linkIn = (text: string | undefined) => /(https:\S+)\/login\/link#(\S+)/.exec(text ?? '')!
const tokenIn = (text: string | undefined) => linkIn(text)[2]!

/** A person with a password and a confirmed address. */
async function reachable(address = `${userNameOf('p')}${count++}@example.com`) {
  const person = await invited()
  await link(person, { delivery: 'mail', mail_address: address })
  await use(tokenIn((await mailTo(address)).text))
  mail.mails.length = 0
  return { ...person, address }
}

const forgot = (username: string, silo_name = 'main') =>
  server.anonymous.send('POST', `/x/v1/login/${silo_name}/forgotten-password`, {
    body: { username },
  })
/** Waits until all requests have been answered. */
const answered = () =>
  vi.waitFor(async () => {
    expect(await server.db.selectFrom('password_request').select('id').execute()).toEqual([])
    const waiting = await server.db
      .selectFrom('user_link')
      .select('id')
      .where('reconcile_at', '<=', new Date().toISOString())
      .where('time_sent', 'is', null)
      .execute()
    expect(waiting).toEqual([])
  }, patiently)

describe('a link to copy', () => {
  test('sets the first password, once', async () => {
    const person = await invited('ann')
    const made = await link(person)
    expect(made).toMatchObject({
      purpose: 'invitation',
      url: `https://cloud.example/login/link#${made.token}`,
      mail_address: null,
    })
    expect(await details(person)).toMatchObject({
      state: 'invited',
      has_password: false,
      link: { time_expires: made.time_expires, mail_address: null, problem: null },
    })
    expect(await view(made.token!)).toEqual({
      purpose: 'invitation',
      silo_name: 'main',
      user_name: 'ann',
      mail_address: null,
      time_expires: made.time_expires,
    })
    await use(made.token!)
    expect((await signIn('ann')).status).toBe(204)
    expect(await refused(made.token!)).toMatchObject(badLink)
    expect(await details(person)).toMatchObject({ state: 'active', link: null })
  })

  test('is stored as a digest only', async () => {
    const person = await invited()
    const token = await tokenFor(person)
    const row = await server.db
      .selectFrom('user_link')
      .selectAll()
      .where('user_id', '=', person.user_id)
      .executeTakeFirstOrThrow()
    expect(row.token_hash).toBe(await digest(token))
    expect(JSON.stringify(row)).not.toContain(token)
    const log = await server.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(log)).not.toContain(token)
  })

  test('is replaced by a newer one', async () => {
    const person = await invited()
    const [first, second] = [await tokenFor(person), await tokenFor(person)]
    expect(await refused(first)).toMatchObject(badLink)
    await use(second)
  })

  test('works once if two use it at the same time', async () => {
    const person = await invited()
    const token = await tokenFor(person)
    const answers = await Promise.all(
      [`${PASSWORD} 1`, `${PASSWORD} 2`].map((password) =>
        server.anonymous.send('POST', '/x/v1/login-links/use', { body: { token, password } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    const winner = answers.findIndex(({ status }) => status === 204) + 1
    expect((await signIn(person.name, `${PASSWORD} ${winner}`)).status).toBe(204)
  })

  test('expires', async () => {
    stopClocks()
    const token = await tokenFor(await invited())
    vi.advanceTimersByTime(userLinkValidMs.invitation - 1)
    await view(token)
    vi.advanceTimersByTime(1)
    expect(await refused(token)).toMatchObject(badLink)
  })

  test('of a user with a password is valid for a shorter time, and ends the sessions', async () => {
    stopClocks()
    const person = await invited()
    await setPassword(person, 'the password before')
    const caller = await sessionOf(person.name, 'the password before')
    const made = await link(person)
    expect(made.purpose).toBe('password')
    expect(Date.parse(made.time_expires) - Date.now()).toBe(userLinkValidMs.password)
    await use(made.token!)
    expect((await caller.refusal('current_user_view')).status).toBe(401)
    expect((await signIn(person.name, 'the password before')).status).toBe(401)
  })

  test('asks for a password by the rules', async () => {
    const person = await invited('sam-the-miller')
    const token = await tokenFor(person)
    for (const password of ['seven77', 'Sam-The-Miller', 'Password1']) {
      const problem = newPasswordProblem(password, PASSWORD_MIN, person.name) ?? commonPassword
      expect(await refused(token, password)).toMatchObject({
        status: 400,
        message: `unsupported value for "password": ${problem}`,
      })
    }
    const none = await server.anonymous.refusal('user_link_use', { body: { token } })
    expect(none).toMatchObject({ status: 400, message: userLinkMessages.noPassword })
    await use(token)
  })

  test.each<[string, (person: Person) => Promise<unknown>]>([
    [
      'the user is deleted',
      ({ params }) => server.admin.call('local_idp_user_delete', { params, query }),
    ],
    ['an administrator sets a password', (person) => setPassword(person, 'another password')],
    ['an administrator forbids to sign in', (person) => setPassword(person, null)],
    [
      'the user is deactivated',
      ({ user_id }) =>
        server.db
          .updateTable('silo_user')
          .set({ time_deactivated: new Date().toISOString() })
          .where('id', '=', user_id)
          .execute(),
    ],
  ])('ends when %s', async (_, end) => {
    const person = await invited()
    const token = await tokenFor(person)
    await end(person)
    expect(await refused(token)).toMatchObject(badLink)
    expect(await server.anonymous.refusal('user_link_view', { body: { token } })).toMatchObject(
      badLink,
    )
  })

  test('keeps second factors, which the sign-in then asks for', async () => {
    const person = await invited()
    await setPassword(person, PASSWORD)
    const time_created = new Date().toISOString()
    await server.db
      .insertInto('totp')
      .values({ user_id: person.user_id, secret: 'A'.repeat(32), last_period: 0, time_created })
      .execute()
    await use(await tokenFor(person), `${PASSWORD}!`)
    expect((await signIn(person.name, `${PASSWORD}!`)).status).toBe(403)
  })
})

describe('who may make a link', () => {
  test('administrators of the silo, and operators for any silo', async () => {
    const siloId = await server.createSilo('yard')
    const person = await invited('yard-person', 'yard')
    const body = { delivery: 'copy' } as const
    const admin = await server.createUser('yard-admin', { silo: 'admin' }, siloId)
    expect((await admin.caller.call('user_link_create', { ...person, body })).token).toBeTruthy()
    const operator = await server.createUser('operator', { fleet: 'admin' })
    const inYard = { ...person, query: { silo: 'yard' }, body }
    expect((await operator.caller.call('user_link_create', inYard)).token).toBeTruthy()
    // The user of another silo.
    const other = await server.createUser('main-admin', { silo: 'admin' })
    expect((await other.caller.refusal('user_link_create', inYard)).status).toBe(404)
    const collaborator = await server.createUser('helper', { silo: 'collaborator' }, siloId)
    expect(
      (await collaborator.caller.refusal('user_link_create', { ...person, body })).status,
    ).toBe(403)
  })

  test('nobody whose role was taken away since the form was opened', async () => {
    const siloId = await server.createSilo('orchard')
    const person = await invited('orchard-person', 'orchard')
    const { caller } = await server.createUser('former-admin', { silo: 'admin' }, siloId)
    await caller.call('user_details_list')
    await server.admin.call('silo_policy_update', {
      params: { silo: 'orchard' },
      body: { role_assignments: [] },
    })
    const body = { delivery: 'mail', mail_address: 'orchard@example.com' } as const
    expect((await caller.refusal('user_link_create', { ...person, body })).status).toBe(403)
    const inOrchard = { query: { silo: 'orchard' } }
    const [left] = (await server.admin.call('user_details_list', inOrchard)).items.filter(
      ({ id }) => id === person.user_id,
    )
    expect(left).toMatchObject({ state: 'no_sign_in', mail_address: null, link: null })
  })

  test('nobody in silos with identity providers, and for service accounts', async () => {
    await server.createSilo('federated', { identity_mode: 'saml_jit' })
    const params = { user_id: crypto.randomUUID() }
    const body = { delivery: 'copy' } as const
    const elsewhere = { params, query: { silo: 'federated' }, body }
    expect((await server.admin.refusal('user_link_create', elsewhere)).status).toBe(404)
    expect((await forgot('ann', 'federated')).status).toBe(404)
    const { id } = await server.admin.call('service_account_create', {
      query: {},
      body: { name: 'robot', description: '' },
    })
    const robot = { params: { user_id: id }, query, body }
    expect((await server.admin.refusal('user_link_create', robot)).status).toBe(404)
  })

  test('without mail, links are only copied', async () => {
    const plain = await startTestServer()
    try {
      const { id } = await plain.admin.call('local_idp_user_create', {
        query,
        body: { external_id: 'ben', password: { mode: 'login_disallowed' } },
      })
      const params = { user_id: id }
      const body = { delivery: 'mail', mail_address: 'ben@example.com' } as const
      const refusal = await plain.admin.refusal('user_link_create', { params, query, body })
      expect(refusal).toMatchObject({ status: 501, message: notificationMessages.noMail })
      // The refused call has changed nothing.
      expect(await plain.admin.call('user_details_view', { params })).toMatchObject({
        state: 'no_sign_in',
        mail_address: null,
      })
      const headers = { 'x-forwarded-host': 'evil.example' }
      const copied = { params, query, headers, body: { delivery: 'copy' } } as const
      const made = await plain.admin.call('user_link_create', copied)
      // The address of the server, and none from the request.
      expect(made.url).toBe(`http://127.0.0.1:0/login/link#${made.token}`)
      expect(made.token).toMatch(/^[0-9a-f]{64}$/)
    } finally {
      await plain.close()
    }
  })
})

describe('an invitation by mail', () => {
  test('has the link, which confirms the address as well', async () => {
    const person = await invited('mia')
    const mail_address = 'mia@example.com'
    const made = await link(person, { delivery: 'mail', mail_address })
    expect(made).toMatchObject({ purpose: 'invitation', token: null, url: null, mail_address })
    const { subject, text, html } = await mailTo(mail_address)
    expect(subject).toBe('Your invitation to main')
    expect(text).toContain('user name mia')
    expect(linkIn(text)[1]).toBe('https://cloud.example')
    expect(String(html)).toContain(tokenIn(text))
    await vi.waitFor(async () => {
      expect(await details(person)).toMatchObject({
        state: 'invited',
        mail_address,
        mail_confirmed: false,
        link: { mail_address, problem: null, time_sent: expect.any(String) },
      })
    }, patiently)
    expect(await view(tokenIn(text))).toMatchObject({ mail_address, user_name: 'mia' })
    await use(tokenIn(text))
    expect(await details(person)).toMatchObject({ state: 'active', mail_confirmed: true })
  })

  test('waits while the mail server is down, and says so', async () => {
    const person = await invited()
    const address = 'waiting@example.com'
    mail.answer(address, 451)
    await link(person, { delivery: 'mail', mail_address: address })
    await vi.waitFor(async () => {
      const { link: shown } = await details(person)
      expect(shown).toMatchObject({ time_sent: null })
      expect(shown!.problem).toMatch(/^mail server: does not take the mail/)
    }, patiently)
    const again = async () => {
      await server.db
        .updateTable('user_link')
        .set({ time_next_attempt: null, reconcile_at: new Date().toISOString() })
        .where('user_id', '=', person.user_id)
        .execute()
      await server.host.controlPlane.notify()
    }
    await again()
    // Operators see it as well.
    await vi.waitFor(async () => {
      const { items } = await server.admin.call('issue_list')
      expect(items.map(({ sentence }) => sentence)).toContain(
        'The mail server takes no mail, and 1 mail waits: does not take the mail at present (451)',
      )
    }, patiently)
    mail.answer(address, 0)
    await again()
    await use(tokenIn((await mailTo(address)).text))
  })

  test('is sent again with a new secret after a kill between the mail and its record', async () => {
    const person = await invited()
    const address = 'twice@example.com'
    await link(person, { delivery: 'mail', mail_address: address })
    const first = tokenIn((await mailTo(address)).text)
    // The mail is there before its record.
    await vi.waitFor(async () => {
      expect((await details(person)).link?.time_sent).toEqual(expect.any(String))
    }, patiently)
    // As the killed server left it.
    await server.db
      .updateTable('user_link')
      .set({ time_sent: null, reconcile_at: new Date().toISOString() })
      .where('user_id', '=', person.user_id)
      .execute()
    await server.host.controlPlane.notify()
    const second = tokenIn((await mailTo(address, 2)).text)
    expect(await refused(first)).toMatchObject(badLink)
    await use(second)
  })

  test('is refused without an address, and with one that is none', async () => {
    const person = await invited()
    const none = { ...person, query, body: { delivery: 'mail' } } as const
    expect(await server.admin.refusal('user_link_create', none)).toMatchObject({
      status: 400,
      message: userLinkMessages.noAddress,
    })
    for (const mail_address of ['a b@example.com', 'a@b.com\nBcc: c@d.com', 'nobody']) {
      const body = { delivery: 'mail', mail_address } as const
      expect(
        (await server.admin.refusal('user_link_create', { ...person, query, body })).status,
      ).toBe(400)
    }
  })
})

describe('a forgotten password', () => {
  test('is replaced by a link in a mail to the confirmed address', async () => {
    const person = await reachable()
    expect((await forgot(person.name)).status).toBe(204)
    const { subject, text } = await mailTo(person.address)
    expect(subject).toBe('Set a new password for main')
    // The present password works until then.
    expect((await signIn(person.name)).status).toBe(204)
    expect((await view(tokenIn(text))).purpose).toBe('password')
    await use(tokenIn(text), `${PASSWORD} again`)
    expect((await signIn(person.name, `${PASSWORD} again`)).status).toBe(204)
  })

  test('is answered alike for users who get no mail', async () => {
    const unconfirmed = await invited()
    await setPassword(unconfirmed, PASSWORD)
    const address = 'unconfirmed@example.com'
    await server.admin.call('user_mail_address_update', {
      ...unconfirmed,
      query,
      body: { mail_address: address },
    })
    await mailTo(address)
    const forbidden = await reachable()
    await setPassword(forbidden, null)
    const reached = await reachable()
    const names = ['nobody-at-all', unconfirmed.name, forbidden.name, reached.name]
    const answers = await Promise.all(names.map((name) => forgot(name)))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      names.map(() => [204, answers[0]!.body]),
    )
    await mailTo(reached.address)
    await answered()
    expect(mail.mails).toHaveLength(1)
  })

  test('causes few mails a day', async () => {
    stopClocks()
    const person = await reachable()
    for (let sent = 0; sent < FORGOTTEN_MAILS_A_DAY; sent++) {
      await forgot(person.name)
      await mailTo(person.address, sent + 1)
      await answered()
      // Requests of one address about one user have to wait, too.
      vi.advanceTimersByTime(60_000)
    }
    expect((await forgot(person.name)).status).toBe(204)
    await answered()
    expect(mail.mails).toHaveLength(FORGOTTEN_MAILS_A_DAY)
    vi.advanceTimersByTime(86_400_000)
    await forgot(person.name)
    await mailTo(person.address, FORGOTTEN_MAILS_A_DAY + 1)
  })

  test('is throttled alike for all names, and has a bounded queue', async () => {
    for (let asked = 0; asked < FORGOTTEN_FREE_OF_USER; asked++) {
      expect((await forgot('someone')).status).toBe(204)
    }
    expect((await forgot('someone')).status).toBe(429)
    await answered()
    const row = { silo_id: server.siloId, user_name: 'x', time_created: new Date().toISOString() }
    const rows = Array.from({ length: FORGOTTEN_WAITING_MAX }, (_, index) => ({
      ...row,
      ...unclaimed,
      id: `waiting ${index}`,
      // Not due, as if the reconciler were far behind.
      reconcile_at: null,
    }))
    for (let at = 0; at < rows.length; at += 100) {
      await server.db
        .insertInto('password_request')
        .values(rows.slice(at, at + 100))
        .execute()
    }
    try {
      const full = await forgot('someone-else')
      expect(full.status).toBe(429)
      expect(full.body).toMatchObject({ message: userLinkMessages.tooManyWaiting })
    } finally {
      await server.db.deleteFrom('password_request').execute()
    }
  })
})

describe('a mail address', () => {
  test('of the signed-in user takes the password, and counts once it is confirmed', async () => {
    const person = await reachable()
    const caller = await sessionOf(person.name)
    expect(await caller.call('current_user_mail_address_view')).toEqual({
      mail_address: person.address,
      confirmed: true,
    })
    const body = { mail_address: 'new@example.com', current_password: 'a wrong password' }
    expect((await caller.refusal('current_user_mail_address_update', { body })).status).toBe(400)
    const right = { body: { ...body, current_password: PASSWORD } }
    expect(await caller.call('current_user_mail_address_update', right)).toEqual({
      mail_address: 'new@example.com',
      confirmed: false,
    })
    const token = tokenIn((await mailTo('new@example.com')).text)
    expect(await view(token)).toMatchObject({ purpose: 'address', mail_address: 'new@example.com' })
    await forgot(person.name)
    await answered()
    expect(mail.mails).toHaveLength(1)
    await server.anonymous.call('user_link_use', { body: { token } })
    expect((await caller.call('current_user_mail_address_view')).confirmed).toBe(true)
    expect((await signIn(person.name)).status).toBe(204)
  })

  test('is not confirmed by the link to an earlier one', async () => {
    const person = await invited()
    const set = (mail_address: string | null) =>
      server.admin.call('user_mail_address_update', { ...person, query, body: { mail_address } })
    await set('first@example.com')
    const token = tokenIn((await mailTo('first@example.com')).text)
    await set('second@example.com')
    expect(await refused(token)).toMatchObject(badLink)
    await mailTo('second@example.com')
    await set(null)
    expect(await details(person)).toMatchObject({ mail_address: null, mail_confirmed: false })
  })

  test('is shown to nobody but administrators and the user', async () => {
    const person = await reachable()
    const reader = (await server.createUser('curious', { silo: 'viewer' })).caller
    for (const answer of [
      await reader.call('user_list'),
      await reader.call('user_view', person),
      await reader.call('identity_list', { query: { search: person.name } }),
    ]) {
      expect(JSON.stringify(answer)).not.toContain(person.address)
    }
    expect((await reader.refusal('user_details_view', person)).status).toBe(403)
  })

  test('is forgotten with the user', async () => {
    const person = await reachable()
    await server.admin.call('local_idp_user_delete', { ...person, query })
    const left = await server.db
      .selectFrom('user_mail')
      .select('address')
      .where('user_id', '=', person.user_id)
      .execute()
    expect(left).toEqual([])
  })
})

describe('the list of users', () => {
  test('has states and roles, and is filtered by states', async () => {
    const silo = 'listed'
    const siloId = await server.createSilo(silo)
    const admin = await server.createUser('z-admin', { silo: 'admin' }, siloId)
    const project = await admin.caller.call('project_create', {
      body: { name: 'mill', description: '' },
    })
    const roles = { silo: 'viewer', projects: { [project.id]: 'admin' } } as const
    const member = await server.createUser('a-member', roles, siloId)
    const group = await server.createGroup('millers', [member.id], siloId)
    await server.grant({ id: group, type: 'silo_group' }, 'silo', siloId, 'collaborator')
    await server.grant({ id: group, type: 'silo_group' }, 'project', project.id, 'viewer')
    const waiting = await invited('b-waiting', silo)
    await server.admin.call('user_link_create', {
      ...waiting,
      query: { silo },
      body: { delivery: 'copy' },
    })
    const list = async (state?: string) =>
      (
        await server.admin.call('user_details_list', { query: { silo, ...(state && { state }) } })
      ).items.map(({ display_name, ...user }) => [
        display_name,
        user.state,
        user.silo_role,
        user.project_count,
      ])
    expect(await list()).toEqual([
      ['a-member', 'no_sign_in', 'collaborator', 1],
      ['b-waiting', 'invited', null, 0],
      ['z-admin', 'no_sign_in', 'admin', 0],
    ])
    expect(await list('invited')).toEqual([['b-waiting', 'invited', null, 0]])
    expect(await list('active,deactivated')).toEqual([])
    expect((await list('no_sign_in')).map(([name]) => name)).toEqual(['a-member', 'z-admin'])
  })
})

test('views of links are throttled', async () => {
  stopClocks()
  const body = { token: 'guess' }
  const own = await startTestServer()
  try {
    for (let view = 0; view < USER_LINK_FREE_USES; view++) {
      expect((await own.anonymous.refusal('user_link_view', { body })).status).toBe(404)
    }
    expect((await own.anonymous.refusal('user_link_view', { body })).status).toBe(429)
  } finally {
    await own.close()
  }
})

test('expired links are removed, those of invitations after a while', async () => {
  const [person, other] = [await invited(), await invited()]
  await setPassword(other, PASSWORD)
  await link(person)
  await link(other)
  const later = (ms: number) => tidyUserLinks(server.db, fromNow(ms))
  const left = async () =>
    (
      await server.db
        .selectFrom('user_link')
        .select('user_id')
        .where('user_id', 'in', [person.user_id, other.user_id])
        .execute()
    ).map(({ user_id }) => user_id)
  await later(2 * userLinkValidMs.invitation)
  expect(await left()).toEqual([person.user_id])
  await later(10 * userLinkValidMs.invitation)
  expect(await left()).toEqual([])
})

test('mail addresses suggest user names', () => {
  expect(userNameOf('Ann.Smith@example.com')).toBe('ann-smith')
  expect(userNameOf('2nd_shift+x@example.com')).toBe('nd-shift-x')
  expect(userNameOf('Zoë@example.com')).toBe('zoe')
  expect(userNameOf('1@example.com')).toBe('')
})
