/** Notifications: the centre of each user, and what is sent by mail, to webhooks and to chats. */
import { createHmac } from 'node:crypto'
import { BlockList } from 'node:net'
import type { Wire } from '@steading/api'
import {
  CONFIRMATIONS_A_DAY,
  dailyDefault,
  FLAPPING_HOLD_MS,
  GiB,
  MESSAGE_REST_MS,
  NOTIFICATION_SUBSCRIPTIONS_MAX,
  notificationMessages,
  notificationTopics,
  PROMPT_CHANGES,
  REPLICATION_FAULT_AFTER_MS,
  SAME_NOTIFICATION_MS,
  scheduleMessages,
} from '@steading/api/rules'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { change, release } from '../../../src/resources/observability/notifications/announce.ts'
import { dataDisk } from '../../../src/resources/hardware/hosts/issues.ts'
import { replicationIssues } from '../../../src/resources/maintenance/health/issues.ts'
import type { Search } from '../../../src/kernel/issues.ts'
import { nextDigest } from '../../../src/resources/observability/notifications/reconcile.ts'
import { tidyNotifications } from '../../../src/resources/observability/notifications/tidy.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { type MailServer, startMailServer } from '../../support/mail-server.ts'
import { scheduleBody } from '../../support/schedules.ts'
import { detachedDisk } from '../../support/things.ts'
import { fromNow } from '../../support/times.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts'

const loopback = new BlockList()
loopback.addAddress('127.0.0.1')

let server: TestServer
let mail: MailServer
let receiver: WebhookReceiver
let admin: Caller
let projectId: string

beforeAll(async () => {
  mail = await startMailServer()
  receiver = await startWebhookReceiver()
  server = await startTestServer({
    webhookNetworks: loopback,
    smtpUrl: mail.url,
    mailFrom: 'Cloud <cloud@example.com>',
    consoleUrl: 'https://cloud.example',
  })
  admin = server.admin
  const body = { name: 'work', description: '' }
  projectId = (await admin.call('project_create', { body })).id
  await detachedDisk(admin, { project: 'work' }, 'data')
})
afterAll(async () => {
  receiver.close()
  await mail.close()
  await server.close()
})
beforeEach(async () => {
  await server.db.deleteFrom('notification_subscription').execute()
  await server.db.deleteFrom('schedule').execute()
  await look()
  await server.db.deleteFrom('notification').execute()
  mail.mails.length = 0
  receiver.received.length = 0
})
afterEach(() => vi.useRealTimers())

/** Waits for the reconciler, which takes its time on a busy machine. */
const patiently = { timeout: 120_000, interval: 25 }

const look = () => server.host.controlPlane.notify()

let count = 0
/** A schedule whose last run has failed, and a function for its further runs. */
async function failingSchedule(project = 'work') {
  const name = `nightly-${count++}`
  const body = scheduleBody({ name, disks: ['data'] })
  const { id } = await admin.call('schedule_create', { query: { project }, body })
  let number = 0
  const runs = async (failed: boolean) => {
    number++
    const time = new Date().toISOString()
    const values = failed
      ? { failed_run: number, failed_reason: 'no room', time_failed: time }
      : { failed_run: null, failed_reason: null, time_failed: null }
    await server.db.updateTable('schedule').set(values).where('id', '=', id).execute()
    await look()
  }
  await runs(true)
  return { name, id, runs }
}

const newest = { query: { sort_by: 'time_changed_descending' } } as const
const listOf = async (caller: Caller) => (await caller.call('notification_list', newest)).items
const unread = async (caller: Caller) => (await caller.call('notification_unread_view')).count

const create = (values: Partial<Wire.NotificationSubscriptionCreate> = {}, caller = admin) =>
  caller.call('notification_subscription_create', {
    body: {
      scope: 'mine',
      topics: [...notificationTopics],
      severity: 'warning',
      digest: 'immediately',
      channel: { type: 'webhook', url: `${receiver.url}/hook` },
      ...values,
    },
  })
const subscriptions = async (caller = admin, query: { project?: string } = {}) =>
  (await caller.call('notification_subscription_list', { query })).items

const tokenOf = (url: string): string => url.split('/').at(-1)!
const linkIn = (text: string | undefined): string => /https:\S+mail-link\/\S+/.exec(text ?? '')![0]

/** Waits until no subscription is being looked at, or about to be. */
const idle = () =>
  vi.waitFor(async () => {
    const busy = await server.db
      .selectFrom('notification_subscription')
      .select('id')
      .where((eb) =>
        eb.or([
          eb('lease_until', 'is not', null),
          eb('reconcile_at', '<=', new Date().toISOString()),
        ]),
      )
      .execute()
    expect(busy).toEqual([])
  }, patiently)

/** A subscription whose address is confirmed. */
async function confirmed(
  address: string,
  values: Partial<Wire.NotificationSubscriptionCreate> = {},
) {
  const made = await create({ channel: { type: 'email', address }, ...values })
  const asked = await vi.waitFor(() => {
    const found = mail.mails.find(({ subject }) => subject?.startsWith('Confirm'))
    expect(found).toBeDefined()
    return found!
  }, patiently)
  const token = tokenOf(linkIn(asked.text))
  await server.anonymous.call('notification_link_follow', { params: { token } })
  await idle()
  mail.mails.length = 0
  return made
}

const mailed = (wanted: number) =>
  vi.waitFor(() => {
    expect(mail.mails.length).toBeGreaterThanOrEqual(wanted)
    return mail.mails
  }, patiently)
const received = (wanted: number) =>
  vi.waitFor(() => {
    expect(receiver.received.length).toBeGreaterThanOrEqual(wanted)
    return receiver.received
  }, patiently)

/** Lets the rest of a subscription pass, or sets it. */
const restUntil = (time: string | null) =>
  server.db
    .updateTable('notification_subscription')
    .set({ time_next_attempt: time, reconcile_at: new Date().toISOString() })
    .execute()
async function rested(): Promise<void> {
  await idle()
  await restUntil(null)
  // The reconciler then looks at the alarms.
  await look()
}

test('an issue of a project is in the centre of those who may read the project', async () => {
  const projects = { [projectId]: 'viewer' } as const
  const member = (await server.createUser('reader', { projects })).caller
  const stranger = (await server.createUser('stranger')).caller
  const otherSilo = await server.createSilo('other')
  const foreign = (await server.createUser('foreign', { silo: 'admin' }, otherSilo)).caller
  const { name, runs } = await failingSchedule()
  const [found, ...more] = await listOf(member)
  expect(more).toEqual([])
  expect(found).toMatchObject({
    kind: 'schedule_failed',
    topic: 'schedule',
    level: 'project',
    severity: 'warning',
    state: 'open',
    sentence: `Run 1 of schedule ${name} of project work has failed: no room`,
    path: `/projects/work/schedules/${name}`,
    project: { id: projectId, name: 'work' },
    times: 1,
    unread: true,
  })
  expect(await listOf(stranger)).toEqual([])
  expect(await listOf(foreign)).toEqual([])
  expect(await unread(member)).toBe(1)
  await runs(false)
  expect(await listOf(member)).toMatchObject([
    {
      id: found!.id,
      state: 'resolved',
      sentence: `Schedule ${name} of project work is no longer failing`,
    },
  ])
})

test('a right that ends takes the notifications away', async () => {
  const projects = { [projectId]: 'viewer' } as const
  const { caller, id } = await server.createUser('leaver', { projects })
  await failingSchedule()
  expect(await listOf(caller)).toHaveLength(1)
  await server.db.deleteFrom('role_assignment').where('identity_id', '=', id).execute()
  const later = await server.signInAs(id)
  expect(await listOf(later)).toEqual([])
  expect(await unread(later)).toBe(0)
})

test('operators see issues of the system, and quotas and certificates are for the silo', async () => {
  const plain = (await server.createUser('plain')).caller
  const { db, siloId } = server
  const quotas = await db
    .selectFrom('silo')
    .select(['quota_storage', 'used_storage'])
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  const use = (used_storage: number) =>
    db.updateTable('silo').set({ used_storage }).where('id', '=', siloId).execute()
  await use(Number(quotas.quota_storage))
  await db
    .updateTable('physical_disk')
    .set({ healthy: 0 })
    .where('id', 'in', (eb) => eb.selectFrom('physical_disk').select('id').limit(1))
    .execute()
  await look()
  await use(Number(quotas.used_storage))
  await db.updateTable('physical_disk').set({ healthy: 1 }).execute()
  expect(await listOf(plain)).toMatchObject([{ topic: 'quota', level: 'silo', state: 'open' }])
  const topics = (await listOf(admin)).map(({ topic }) => topic)
  expect(topics.toSorted()).toEqual(['quota', 'storage'])
})

test('reading: one, all up to a time, and unread again when it happens anew', async () => {
  const { runs } = await failingSchedule()
  await failingSchedule()
  const [second, first] = await listOf(admin)
  await admin.call('notification_read', { body: { ids: [first!.id, crypto.randomUUID()] } })
  expect((await listOf(admin)).map((one) => one.unread)).toEqual([true, false])
  expect(await unread(admin)).toBe(1)
  const only = await admin.call('notification_list', { query: { unread: true } })
  expect(only.items.map(({ id }) => id)).toEqual([second!.id])
  await runs(true)
  expect(await listOf(admin)).toMatchObject([
    { id: first!.id, unread: true, times: 2 },
    { id: second!.id, unread: true },
  ])
  await admin.call('notification_read_all', { body: { until: second!.time_changed } })
  expect((await listOf(admin)).map((one) => one.unread)).toEqual([true, false])
  await admin.call('notification_read_all', { body: { until: '9999-01-01T00:00:00Z' } })
  expect(await unread(admin)).toBe(0)
  await runs(false)
  expect(await unread(admin)).toBe(1)
})

test('all topics include those added later', async () => {
  const channel = { type: 'webhook', url: 'https://chat.invalid/hook' } as const
  const body = { scope: 'mine', severity: 'warning', digest: 'daily', channel } as const
  const made = await admin.call('notification_subscription_create', {
    body: { ...body, topics: [...notificationTopics] },
  })
  expect(made.topics).toEqual(notificationTopics)
  const row = await server.db
    .selectFrom('notification_subscription')
    .select('topics')
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow()
  // No list of the present ones.
  expect(row.topics).toBe('[]')
  await admin.call('notification_subscription_delete', { params: { subscription: made.id } })
})

test('a user chooses topics', async () => {
  await failingSchedule()
  const settings = { topics: notificationTopics.filter((topic) => topic !== 'schedule') }
  expect(await admin.call('notification_settings_view')).toEqual({ topics: notificationTopics })
  await admin.call('notification_settings_update', { body: settings })
  expect(await admin.call('notification_settings_view')).toEqual(settings)
  expect(await listOf(admin)).toEqual([])
  expect(await unread(admin)).toBe(0)
  const body = { topics: [...notificationTopics] }
  await admin.call('notification_settings_update', { body })
  expect(await listOf(admin)).toHaveLength(1)
})

test('pages, with a filter by topic', async () => {
  for (let made = 0; made < 3; made++) await failingSchedule()
  const query = { sort_by: 'time_changed_descending', limit: 2, topic: 'schedule,quota' } as const
  const first = await admin.call('notification_list', { query })
  expect(first.items).toHaveLength(2)
  const page_token = first.next_page!
  const rest = await admin.call('notification_list', { query: { limit: 2, page_token } })
  expect(rest.items).toHaveLength(1)
  const none = await admin.call('notification_list', { query: { topic: 'quota' } })
  expect(none.items).toEqual([])
})

test('something that keeps changing is announced a few times, and then once an hour', () => {
  const start = Date.parse('2026-11-27T12:00:00Z')
  const at = (ms: number) => new Date(start + ms)
  let row = {
    state: 'open',
    announced: 'open',
    changes: 1,
    times: 1,
    time: at(0).toISOString(),
    time_held: null as string | null,
    time_created: at(0).toISOString(),
  } as Parameters<typeof change>[0]
  let announced = 1
  const take = (values: ReturnType<typeof release>) => {
    if (!values) return
    const { isAnnounced, ...columns } = values
    if (isAnnounced) announced++
    row = { ...row, ...columns }
  }
  for (let second = 10; second <= 3000; second += 10) {
    take(change(row, row.state === 'open' ? 'resolved' : 'open', at(second * 1000)))
  }
  expect(announced).toBe(PROMPT_CHANGES)
  expect(row.times).toBe(151)
  expect(release(row, at(3_000_000))).toBeUndefined()
  take(change(row, 'open', at(3_010_000)))
  take(release(row, at(2 * FLAPPING_HOLD_MS)))
  expect(announced).toBe(PROMPT_CHANGES + 1)
  expect(row).toMatchObject({ announced: 'open', time_held: null })
  // A clock that is set back holds nothing for longer.
  take({ isAnnounced: false, time_held: at(10 * FLAPPING_HOLD_MS).toISOString() })
  expect(release(row, at(0))).toMatchObject({ isAnnounced: true })
})

test('a pool that is full, with a number of addresses that JSON does not have', async () => {
  const body = { name: 'narrow', description: '' }
  await admin.call('system_ip_pool_create', { body })
  const params = { pool: 'narrow' }
  const range = { first: '198.51.100.1', last: '198.51.100.100' }
  await admin.call('system_ip_pool_range_add', { params, body: range })
  const { id } = await admin.call('system_ip_pool_view', { params })
  const rows = server.db.updateTable('ip_pool').where('id', '=', id)
  await rows.set({ allocated: 96 }).execute()
  await look()
  await rows.set({ allocated: 0 }).execute()
  expect(await listOf(admin)).toMatchObject([
    {
      topic: 'system',
      sentence: expect.stringMatching(/^IP pool narrow is nearly full: 4 of 100 addresses/),
    },
  ])
})

test('the disk of the server counts as nearly full by its share and by what is free', async () => {
  const issuesOf = async (size: number, free: number) => {
    const path = '/var/lib/steading'
    const services = { dataDisk: async () => ({ path, size, free }) }
    const search = { db: server.db, now: new Date(), services } as unknown as Search
    return (await dataDisk(search)).map(({ sentence }) => sentence)
  }
  expect(await issuesOf(100 * GiB, 9 * GiB)).toEqual([
    'The disk of the server with /var/lib/steading is 91% full: 9.0 GiB are free',
  ])
  expect(await issuesOf(100 * GiB, 11 * GiB)).toEqual([])
  expect(await issuesOf(10_000 * GiB, 100 * GiB)).toEqual([])
})

test('replication that loses writes is an issue once it has lasted for a minute', async () => {
  const facts = { fault: 'no_standby', synchronousCommit: 'on', standbys: [] } as const
  const issuesOf = async (forMs: number | undefined) => {
    const replication = async () => (forMs === undefined ? undefined : { facts, forMs })
    const services = { database: { replication } }
    const search = { db: server.db, now: new Date(), services } as unknown as Search
    return (await replicationIssues(search)).map(({ sentence }) => sentence)
  }
  expect(await issuesOf(undefined)).toEqual([])
  // Standbys restart during a failover.
  expect(await issuesOf(REPLICATION_FAULT_AFTER_MS - 1)).toEqual([])
  expect(await issuesOf(REPLICATION_FAULT_AFTER_MS)).toEqual([
    'A failover of the database can lose acknowledged writes: no standby follows the primary',
  ])
})

test('trouble after a day is a new notification', async () => {
  const { runs } = await failingSchedule()
  await runs(false)
  const long = new Date(Date.now() - SAME_NOTIFICATION_MS - 1000).toISOString()
  await server.db.updateTable('notification').set({ time_created: long }).execute()
  await runs(true)
  expect((await listOf(admin)).map(({ state }) => state)).toEqual(['open', 'resolved'])
})

test('a place keeps the newest notifications', async () => {
  for (let made = 0; made < 4; made++) await failingSchedule()
  const [newestOne, next] = await listOf(admin)
  await tidyNotifications(server.db, new Date(), () => true, 2)
  expect((await listOf(admin)).map(({ id }) => id)).toEqual([newestOne!.id, next!.id])
})

test('mail: the address is asked first, then told, and unsubscribed with one click', async () => {
  const before = await failingSchedule()
  const made = await create({ channel: { type: 'email', address: 'ann@example.com' } })
  expect(made).toMatchObject({ state: 'unconfirmed', target: 'ann@example.com' })
  const [asked] = await mailed(1)
  expect(asked).toMatchObject({ subject: 'Confirm this address for notifications' })
  expect(asked!.from!.text).toBe('"Cloud" <cloud@example.com>')
  await failingSchedule()
  const params = { token: tokenOf(linkIn(asked!.text)) }
  const view = { purpose: 'confirm', address: 'ann@example.com', done: false }
  // Scanners of mail open links, which must have no effect.
  expect(await server.anonymous.call('notification_link_view', { params })).toEqual(view)
  expect(await subscriptions()).toMatchObject([{ state: 'unconfirmed' }])
  await server.anonymous.call('notification_link_follow', { params })
  expect(await subscriptions()).toMatchObject([{ state: 'active' }])
  const { name } = await failingSchedule()
  const [, told] = await mailed(2)
  const sentence = `Run 1 of schedule ${name} of project work has failed: no room`
  expect(told!.subject).toBe(`Warning: ${sentence}`)
  expect(told!.text).toContain(`https://cloud.example/projects/work/schedules/${name}`)
  expect(told!.text).not.toContain(before.name)
  expect(told!.html).toContain(sentence)
  expect(mail.mails).toHaveLength(2)
  // RFC 8058: a form that is sent without any credentials.
  const list = told!.headers.get('list') as unknown as { unsubscribe: { url: string } }
  const oneClick = new URL(list.unsubscribe.url)
  expect(oneClick.origin).toBe('https://cloud.example')
  expect(String(told!.headerLines.map(({ line }) => line))).toContain(
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  )
  const answer = await fetch(server.url + oneClick.pathname, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(await answer.json()).toMatchObject({ purpose: 'unsubscribe', done: true })
  expect(await subscriptions()).toEqual([])
  // The link is of no use afterwards, nor is one that somebody made up.
  const again = await fetch(server.url + oneClick.pathname)
  expect(again.status).toBe(404)
})

test('a new address of a subscription is asked first, and the links to the earlier one end', async () => {
  const made = await create({ channel: { type: 'email', address: 'ann@example.com' } })
  const [earlier] = await mailed(1)
  const { topics, severity, digest, id } = made
  const params = { subscription: id }
  const wanted = { topics, severity, digest }
  const readdress = (address: string) =>
    admin.call('notification_subscription_update', {
      params,
      body: { ...wanted, channel: { type: 'email', address } },
    })
  expect(await readdress('anne@example.com')).toMatchObject({
    id,
    state: 'unconfirmed',
    target: 'anne@example.com',
  })
  const [, asked] = await mailed(2)
  expect(asked!.to).toMatchObject({ text: 'anne@example.com' })
  const outdated = { params: { token: tokenOf(linkIn(earlier!.text)) } }
  expect((await server.anonymous.refusal('notification_link_follow', outdated)).status).toBe(404)
  const params2 = { token: tokenOf(linkIn(asked!.text)) }
  await server.anonymous.call('notification_link_follow', { params: params2 })
  // The same address stays confirmed, and so does a subscription without a new one.
  expect(await readdress('anne@example.com')).toMatchObject({ state: 'active' })
  const body = { ...wanted, digest: 'daily' as const }
  const kept = await admin.call('notification_subscription_update', { params, body })
  expect(kept).toMatchObject({ state: 'active', target: 'anne@example.com', digest: 'daily' })
  // A refused address changes nothing.
  const { status, message } = await admin.refusal('notification_subscription_update', {
    params,
    body: { ...wanted, channel: { type: 'email', address: 'nobody' } },
  })
  expect({ status, message }).toMatchObject({
    status: 400,
    message: expect.stringContaining('address'),
  })
  // Another channel, whose secret is never shown.
  const url = `${receiver.url}/other`
  const channel = { type: 'webhook', url, secret: 'sesame' } as const
  const moved = await admin.call('notification_subscription_update', {
    params,
    body: { ...wanted, channel },
  })
  expect(moved).toMatchObject({ state: 'active', channel: 'webhook', problem: null })
  expect(JSON.stringify(moved)).not.toContain('sesame')
  const { name } = await failingSchedule()
  const [told] = await received(1)
  expect(told!.path).toBe('/other')
  expect(told!.body).toContain(name)
  await idle()
})

test('a message under way to the earlier address says nothing about the new one', async () => {
  const holding = Promise.withResolvers<void>()
  receiver.answer('/slow', (response) => {
    void holding.promise.then(() => response.writeHead(500).end())
  })
  const url = `${receiver.url}/slow`
  const { id, topics, severity, digest } = await create({ channel: { type: 'webhook', url } })
  await failingSchedule()
  await received(1)
  await admin.call('notification_subscription_update', {
    params: { subscription: id },
    body: {
      topics,
      severity,
      digest,
      channel: { type: 'webhook', url: `${receiver.url}/next` },
    },
  })
  holding.resolve()
  await idle()
  expect(await subscriptions()).toMatchObject([
    { id, state: 'active', problem: null, time_last_sent: null },
  ])
  // Notifications from before the change are not sent to the new address.
  const { name } = await failingSchedule()
  const [, told] = await received(2)
  expect(told).toMatchObject({ path: '/next', body: expect.stringContaining(name) })
  await idle()
})

test('links that are forged, of another purpose, or too old', async () => {
  await create({ channel: { type: 'email', address: 'ann@example.com' } })
  const [asked] = await mailed(1)
  const token = tokenOf(linkIn(asked!.text))
  const forged = [
    token.replace('confirm', 'unsubscribe'),
    `${token}0`,
    token.slice(0, -1),
    `${crypto.randomUUID()}.confirm.00`,
    'confirm',
    '..',
    `${token}.x`,
  ]
  for (const one of forged) {
    const call = { params: { token: one } }
    const { status } = await server.anonymous.refusal('notification_link_follow', call)
    expect(status, one).toBe(404)
  }
  const old = new Date(Date.now() - 8 * 86_400_000).toISOString()
  await server.db.updateTable('notification_subscription').set({ time_modified: old }).execute()
  const call = { params: { token } }
  expect((await server.anonymous.refusal('notification_link_follow', call)).status).toBe(404)
  await server.host.controlPlane.tidy()
  expect(await subscriptions()).toEqual([])
})

test('many notifications are one mail, and the next mail waits', async () => {
  await confirmed('bob@example.com')
  await restUntil(fromNow(MESSAGE_REST_MS).toISOString())
  const all = []
  for (let made = 0; made < 30; made++) all.push(await failingSchedule())
  await all[29]!.runs(false)
  expect(mail.mails).toEqual([])
  await rested()
  const [one] = await mailed(1)
  expect(one!.subject).toBe('30 notifications')
  expect(one!.text).toContain('And 5 further notifications.')
  expect(one!.text).toContain(`Resolved: Schedule ${all[29]!.name} of project work is no`)
  const { name } = await failingSchedule()
  await vi.waitFor(async () => {
    const row = await server.db
      .selectFrom('notification_subscription')
      .select(['reconcile_at', 'time_next_attempt', 'lease_until'])
      .executeTakeFirstOrThrow()
    expect(row.lease_until).toBeNull()
    expect(row.reconcile_at).toBe(row.time_next_attempt)
  }, patiently)
  expect(mail.mails).toHaveLength(1)
  await rested()
  expect((await mailed(2))[1]!.text).toContain(name)
})

test('a mail server that is down: mail waits, operators see an issue, and nothing is lost', async () => {
  await confirmed('carol@example.com')
  await mail.close()
  const { name } = await failingSchedule()
  const failing = async () => {
    const [row] = await subscriptions()
    expect(row).toMatchObject({ state: 'failing' })
    return row!
  }
  const first = await vi.waitFor(failing, patiently)
  expect(first.problem).toBe('mail server: cannot be reached')
  expect(JSON.stringify(first)).not.toContain('sesame')
  await rested()
  await vi.waitFor(async () => {
    const { items } = await admin.call('issue_list')
    expect(items.filter(({ kind }) => kind === 'mail_failing')).toMatchObject([
      { sentence: 'The mail server takes no mail, and 1 mail waits: cannot be reached' },
    ])
  }, patiently)
  mail = await startMailServer(mail.port)
  await rested()
  const [late] = await mailed(1)
  expect(late!.text).toContain(name)
  await vi.waitFor(async () => {
    expect(await subscriptions()).toMatchObject([{ state: 'active', problem: null }])
  }, patiently)
})

test('a refused address concerns its subscription only', async () => {
  await confirmed('dora@example.com')
  mail.answer('dora@example.com', 550)
  await failingSchedule()
  await vi.waitFor(async () => {
    expect(await subscriptions()).toMatchObject([
      { state: 'failing', problem: 'the mail server refused the mail (550)' },
    ])
  }, patiently)
  mail.answer('dora@example.com', 0)
  await rested()
  await mailed(1)
})

test('a right that ends before the mail is sent', async () => {
  const projects = { [projectId]: 'viewer' } as const
  const { caller, id } = await server.createUser('former', { projects })
  await create({ channel: { type: 'webhook', url: `${receiver.url}/former` } }, caller)
  await idle()
  await restUntil(fromNow(MESSAGE_REST_MS).toISOString())
  await failingSchedule()
  await server.db.deleteFrom('role_assignment').where('identity_id', '=', id).execute()
  await rested()
  await vi.waitFor(async () => {
    const row = await server.db
      .selectFrom('notification_subscription')
      .select(['sent_until', 'lease_until'])
      .executeTakeFirstOrThrow()
    expect(row.lease_until).toBeNull()
    expect(Number(row.sent_until)).toBeGreaterThan(0)
  }, patiently)
  expect(receiver.received).toEqual([])
})

test('a webhook is signed, and says what happened', async () => {
  const url = `${receiver.url}/signed`
  const made = await create({ channel: { type: 'webhook', url, secret: 'open-sesame' } })
  expect(made).toMatchObject({ state: 'active', target: new URL(url).host })
  expect(JSON.stringify(await subscriptions())).not.toMatch(/sesame|signed/)
  const { name } = await failingSchedule()
  const [{ headers, body }] = (await received(1)) as [(typeof receiver.received)[number]]
  const signature = createHmac('sha256', 'open-sesame').update(body).digest('hex')
  expect(headers['x-steading-signature']).toBe(`sha256=${signature}`)
  expect(JSON.parse(body)).toMatchObject({
    subscription_id: made.id,
    test: false,
    more: 0,
    notifications: [
      {
        kind: 'schedule_failed',
        severity: 'warning',
        state: 'open',
        url: `https://cloud.example/projects/work/schedules/${name}`,
      },
    ],
  })
})

test('chats: Slack, Teams and Matrix, with names that are no markup', async () => {
  const { url } = receiver
  await create({ channel: { type: 'slack', url: `${url}/slack` } })
  await create({ channel: { type: 'teams', url: `${url}/teams` } })
  const room = '!abc:example.org'
  await create({ channel: { type: 'matrix', url, room, access_token: 'token-1' } })
  const { id, runs } = await failingSchedule()
  await received(3)
  receiver.received.length = 0
  const values = { failed_reason: '<b>*no*</b> [room](https://x)', failed_run: 2 }
  await runs(false)
  await server.db
    .updateTable('schedule')
    .set({ ...values, time_failed: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  await look()
  await rested()
  const all = await received(3)
  const at = (path: string) => all.find((one) => one.path.startsWith(path))!
  const slack = JSON.parse(at('/slack').body)
  expect(slack.text).toContain('&lt;b&gt;*no*&lt;/b&gt;')
  expect(slack.blocks[0].text.text).toMatch(/^\*Warning\* .*\|Open>$/)
  const [card] = JSON.parse(at('/teams').body).attachments
  expect(card.content.body[2].text).toContain(String.raw`\<b\>\*no\*`)
  const matrix = at('/_matrix/')
  expect(matrix.path).toMatch(
    /^\/_matrix\/client\/v3\/rooms\/!abc%3Aexample.org\/send\/m.room.message\//,
  )
  expect(matrix.headers.authorization).toBe('Bearer token-1')
  expect(JSON.parse(matrix.body).formatted_body).toContain('&lt;b&gt;*no*&lt;/b&gt;')
})

test('addresses in closed networks are refused, and so are bad ones', async () => {
  const refusal = async (channel: Wire.NotificationChannel) =>
    (
      await admin.refusal('notification_subscription_create', {
        body: {
          scope: 'mine',
          topics: ['quota'],
          severity: 'warning',
          digest: 'daily',
          channel,
        },
      })
    ).status
  const secret = 'x'
  expect(await refusal({ type: 'webhook', url: 'http://10.0.0.1/x' })).toBe(400)
  expect(await refusal({ type: 'slack', url: 'ftp://example.com' })).toBe(400)
  expect(await refusal({ type: 'email', address: 'a b@example.com' })).toBe(400)
  expect(await refusal({ type: 'email', address: 'a@b.com\nBcc: c@d.com' })).toBe(400)
  const { url } = receiver
  expect(await refusal({ type: 'matrix', url, room: '#x:y', access_token: secret })).toBe(400)
  expect(await refusal({ type: 'webhook', url, secret: 'two words' })).toBe(400)
})

test('critical ones only, and topics', async () => {
  const url = receiver.url
  await create({ severity: 'critical', channel: { type: 'webhook', url: `${url}/critical` } })
  await create({ topics: ['quota'], channel: { type: 'webhook', url: `${url}/quota` } })
  await create({ channel: { type: 'webhook', url: `${url}/all` } })
  await failingSchedule()
  await received(1)
  await vi.waitFor(async () => {
    const rows = await server.db
      .selectFrom('notification_subscription')
      .select(['sent_until', 'lease_until'])
      .execute()
    expect(new Set(rows.map(({ sent_until }) => Number(sent_until))).size).toBe(1)
  }, patiently)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/all'])
})

test('digests wait for their hour', async () => {
  await create({ digest: 'hourly' })
  await failingSchedule()
  await failingSchedule()
  expect(receiver.received).toEqual([])
  await rested()
  const [{ body }] = (await received(1)) as [(typeof receiver.received)[number]]
  expect(JSON.parse(body).notifications).toHaveLength(2)
  // Written once the receiver has answered.
  const nextAttempt = async () => {
    const row = await server.db
      .selectFrom('notification_subscription')
      .select('time_next_attempt')
      .executeTakeFirstOrThrow()
    return row.time_next_attempt
  }
  await expect.poll(nextAttempt).toMatch(/:00:00\.000Z$/)
})

test.each([
  ['2026-01-10T00:59:59Z', '2026-01-10T01:00:00.000Z'],
  ['2026-01-10T01:00:00Z', '2026-01-11T01:00:00.000Z'],
  // 2:00 is skipped on this day, and comes twice on that of October.
  ['2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29T01:00:00Z', '2026-03-30T00:00:00.000Z'],
  ['2026-10-24T12:00:00Z', '2026-10-25T00:00:00.000Z'],
  ['2026-10-25T00:00:00Z', '2026-10-26T01:00:00.000Z'],
])('the daily message of 2:00 in Berlin that follows %s is due at %s', (now, due) => {
  const times = { digest: 'daily', daily_hour: 2, daily_time_zone: 'Europe/Berlin' } as const
  expect(nextDigest(times, new Date(now))?.toISOString()).toBe(due)
})

test('a daily message comes at the hour of its subscription, also after a change', async () => {
  const dueOf = async (id: string) => {
    const { time_next_attempt: due, reconcile_at: alarm } = await server.db
      .selectFrom('notification_subscription')
      .select(['time_next_attempt', 'reconcile_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { hour: new Date(due!).getUTCHours(), isAlarmSet: alarm !== null && alarm <= due! }
  }
  const made = await create({ digest: 'daily' })
  expect(made.daily_at).toEqual(dailyDefault)
  expect(await dueOf(made.id)).toEqual({ hour: dailyDefault.hour, isAlarmSet: true })
  const params = { subscription: made.id }
  const update = (daily_at?: Wire.NotificationDailyTime) => ({
    params,
    body: { topics: made.topics, severity: made.severity, digest: made.digest, daily_at },
  })
  const daily_at = { hour: 23, time_zone: 'Asia/Tokyo' }
  const changed = await admin.call('notification_subscription_update', update(daily_at))
  expect(changed.daily_at).toEqual(daily_at)
  expect(await dueOf(made.id)).toEqual({ hour: 14, isAlarmSet: true })
  const kept = await admin.call('notification_subscription_update', update())
  expect(kept.daily_at).toEqual(daily_at)

  for (const [wrong, message] of [
    [{ hour: 24, time_zone: 'UTC' }, 'hour'],
    [{ hour: 6, time_zone: 'Mars/Olympus' }, scheduleMessages.timeZone],
  ] as const) {
    const refused = await admin.refusal('notification_subscription_update', update(wrong))
    expect(refused.status).toBe(400)
    expect(refused.message).toContain(message)
  }
})

test('a test message', async () => {
  const { id } = await create({ digest: 'daily' })
  const params = { subscription: id }
  await admin.call('notification_subscription_test', { params })
  const [{ body }] = (await received(1)) as [(typeof receiver.received)[number]]
  expect(JSON.parse(body)).toMatchObject({ test: true, notifications: [] })
})

test('a subscription of a project: its admins change it, its viewers see it', async () => {
  const member = async (role: 'admin' | 'viewer', name: string) =>
    (await server.createUser(name, { projects: { [projectId]: role } })).caller
  const chief = await member('admin', 'chief')
  const viewer = await member('viewer', 'onlooker')
  const owner = { owner_project: 'work', scope: 'project' as const }
  const made = await create(owner, chief)
  expect(made).toMatchObject({ owner_project_id: projectId, project: { name: 'work' } })
  expect(await subscriptions(viewer, { project: 'work' })).toHaveLength(1)
  expect(await subscriptions(viewer)).toEqual([])
  const params = { subscription: made.id }
  const refused = await viewer.refusal('notification_subscription_delete', { params })
  expect(refused.status).toBe(403)
  const stranger = (await server.createUser('outsider')).caller
  expect((await stranger.refusal('notification_subscription_delete', { params })).status).toBe(404)
  const body = {
    topics: ['schedule' as const],
    severity: 'warning' as const,
    digest: 'daily' as const,
  }
  const changed = await chief.call('notification_subscription_update', { params, body })
  expect(changed).toMatchObject({ ...body, state: 'active' })
  await chief.call('notification_subscription_delete', { params })
})

test('subscriptions of others are not found, and scopes have their limits', async () => {
  const plain = (await server.createUser('modest')).caller
  const { id } = await create()
  const params = { subscription: id }
  expect((await plain.refusal('notification_subscription_test', { params })).status).toBe(404)
  const refusal = async (values: Partial<Wire.NotificationSubscriptionCreate>, caller = plain) => {
    const { status, message } = await caller.refusal('notification_subscription_create', {
      body: {
        scope: 'mine',
        topics: ['quota'],
        severity: 'warning',
        digest: 'daily',
        channel: { type: 'slack', url: receiver.url },
        ...values,
      },
    })
    return [status, message]
  }
  expect((await refusal({ scope: 'fleet' }))[0]).toBe(403)
  expect((await refusal({ scope: 'project', project: 'work' }))[0]).toBe(404)
  expect(await refusal({ scope: 'project' }, admin)).toEqual([
    400,
    notificationMessages.projectMissing,
  ])
  expect(await refusal({ project: 'work' }, admin)).toEqual([
    400,
    notificationMessages.projectUnused,
  ])
  expect(await refusal({ topics: [] })).toEqual([400, notificationMessages.noTopics])
})

test('limits of subscriptions and of mails to strangers', async () => {
  const { caller } = await server.createUser('busy')
  const address = (name: string) => ({ type: 'email' as const, address: `${name}@example.com` })
  for (let made = 0; made < CONFIRMATIONS_A_DAY; made++) {
    const { id } = await create({ channel: address(`one-${made}`) }, caller)
    await caller.call('notification_subscription_delete', { params: { subscription: id } })
  }
  const body = {
    scope: 'mine' as const,
    topics: [...notificationTopics],
    severity: 'warning' as const,
    digest: 'daily' as const,
  }
  const refusal = (channel: Wire.NotificationChannel) =>
    caller.refusal('notification_subscription_create', { body: { ...body, channel } })
  expect((await refusal(address('more'))).status).toBe(429)
  const channel = { type: 'slack' as const, url: receiver.url }
  for (let made = 0; made < NOTIFICATION_SUBSCRIPTIONS_MAX; made++) {
    await create({ digest: 'daily', channel }, caller)
  }
  expect(await refusal(channel)).toMatchObject({
    status: 400,
    message: notificationMessages.tooMany,
  })
})

test('without a mail server, mail is not offered', async () => {
  const other = await startTestServer()
  try {
    expect(await other.admin.call('capabilities_view')).toMatchObject({
      notifications: true,
      notification_mail: false,
    })
    const { status, message } = await other.admin.refusal('notification_subscription_create', {
      body: {
        scope: 'mine',
        topics: ['quota'],
        severity: 'warning',
        digest: 'daily',
        channel: { type: 'email', address: 'a@example.com' },
      },
    })
    expect([status, message]).toEqual([501, notificationMessages.noMail])
  } finally {
    await other.close()
  }
})

describe.runIf(inject('dialect') === 'postgres')('two servers', () => {
  test('share the work: each notification is made and sent by one of them', async () => {
    const other = await startTestServer({
      databaseUrl: server.databaseUrl,
      data: server.data,
      webhookNetworks: loopback,
    })
    onTestFinished(() => other.close())
    await create()
    const ids: string[] = []
    for (let made = 0; made < 3; made++) {
      const { name } = await failingSchedule()
      ids.push(name)
      await Promise.all([look(), other.host.controlPlane.notify()])
      await rested()
    }
    await vi.waitFor(() => {
      const told = receiver.received.flatMap(({ body }) => JSON.parse(body).notifications)
      expect(told.map(({ url }) => url.split('/').at(-1))).toEqual(ids)
    }, patiently)
    expect(await listOf(admin)).toHaveLength(ids.length)
  })
})
