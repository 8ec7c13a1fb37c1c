/** Alerts, receivers, and webhook deliveries (control plane 10.8). */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:https'
import { type AddressInfo, BlockList } from 'node:net'
import type { Wire } from '@steading/api'
import { alertMessages, subscribesTo, urlMessages, webhookBackoffsMs } from '@steading/api/rules'
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { makeCertificate } from '../../../api/test/support/certificates.ts'
import { createWebhooks } from '../../../node/src/webhooks.ts'
import { purgeAlerts } from '../../src/resources/observability/alerts/purge.ts'
import { addAlert, addReceiver, PSU_REMOVED } from '../support/alerts.ts'
import type { Caller } from '../support/caller.ts'
import { stopClocks } from '../support/clock.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { runJob, targets } from '../support/jobs.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

let server: TestServer
let admin: Caller
let receiver: WebhookReceiver
const loopback = new BlockList()
loopback.addAddress('127.0.0.1')

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ webhookNetworks: loopback })
  admin = server.admin
})
afterAll(async () => {
  receiver.close()
  await server.close()
})
afterEach(() => vi.useRealTimers())

/** Timeout for the reconciler, which takes its time on a busy machine. */
const patiently = { timeout: 120_000, interval: 25 }

let count = 0
const fresh = () => `receiver-${count++}`
const body = (values: Partial<Wire.WebhookCreate> = {}): Wire.WebhookCreate => ({
  name: fresh(),
  description: '',
  endpoint: `${receiver.url}/ok`,
  secrets: ['sesame'],
  subscriptions: [],
  ...values,
})
const create = (values?: Partial<Wire.WebhookCreate>) =>
  admin.call('webhook_receiver_create', { body: body(values) })
const refused = async (values: Partial<Wire.WebhookCreate>) => {
  const { status, error_code, message } = await admin.refusal('webhook_receiver_create', {
    body: body(values),
  })
  return [status, error_code, message]
}
const invalid = (label: string, text: string) => [
  400,
  'InvalidValue',
  `unsupported value for "${label}": ${text}`,
]
/** A receiver with its own path, subscribed to removed power supplies. */
const subscribed = (path: string) =>
  create({ endpoint: receiver.url + path, subscriptions: [PSU_REMOVED] })

/**
 * Removes and inserts a power supply.
 * @returns the alert of the removal
 */
async function raise(): Promise<Wire.Alert> {
  const { power } = server.host.controlPlane.engines
  await power.change('remove', 3)
  await power.change('insert', 3)
  const query = { alert_class: PSU_REMOVED, sort_by: 'time_and_id_descending', limit: 1 } as const
  return (await admin.call('alert_list', { query })).items[0]!
}

const deliveries = async (id: string, query: object = {}) =>
  (await admin.call('alert_delivery_list', { params: { receiver: id }, query })).items
const attemptsOf = async (id: string) =>
  (await deliveries(id)).flatMap(({ attempts }) => attempts.webhook)
/** The first attempts of deliveries to a receiver, once there are enough. */
async function attempted(id: string, number = 1) {
  await expect.poll(async () => (await attemptsOf(id)).length, patiently).toBe(number)
  return attemptsOf(id)
}
const receivedAt = (path: string) => receiver.received.filter((each) => each.path === path)

describe('receivers', () => {
  test('can be created, shown, changed and deleted, and never reveal a secret', async () => {
    const made = await create({
      name: 'pager',
      description: 'wakes people',
      secrets: ['first', 'second'],
      subscriptions: ['hardware.**', PSU_REMOVED],
    })
    expect(made.secrets).toHaveLength(2)
    const shown = await admin.call('alert_receiver_view', { params: { receiver: 'pager' } })
    const { secrets, endpoint, ...rest } = made
    expect(shown).toEqual({ ...rest, kind: { kind: 'webhook', endpoint, secrets } })
    expect(shown.subscriptions).toEqual(['hardware.**', PSU_REMOVED])
    const answer = await admin.send('GET', `/v1/alert-receivers/${made.id}`)
    expect(JSON.stringify(answer.body)).not.toMatch(/first|second/)

    await admin.call('webhook_receiver_update', {
      params: { receiver: 'pager' },
      body: { name: 'bell', endpoint: `${receiver.url}/bell` },
    })
    const changed = await admin.call('alert_receiver_view', { params: { receiver: made.id } })
    expect([changed.name, changed.description]).toEqual(['bell', 'wakes people'])
    expect(changed.kind.endpoint).toBe(`${receiver.url}/bell`)
    expect(await refused({ name: 'bell' })).toEqual([
      400,
      'ObjectAlreadyExists',
      'already exists: alert-receiver "bell"',
    ])

    await admin.call('alert_receiver_delete', { params: { receiver: 'bell' } })
    const { message } = await admin.refusal('alert_receiver_view', { params: { receiver: 'bell' } })
    expect(message).toBe('not found: alert-receiver with name "bell"')
    const left = await server.db
      .selectFrom('webhook_secret')
      .select('id')
      .where('receiver_id', '=', made.id)
      .execute()
    expect(left).toEqual([])
  })

  test('are deleted in bulk', async () => {
    const made = [await create(), await create()]
    const ids = made.map(({ id }) => id)
    const job = await runJob(admin, 'delete', 'alert_receiver', targets(...ids), null)
    expect(job.counts).toMatchObject({ succeeded: 2 })
    const { items } = await admin.call('alert_receiver_list', { query: { limit: 1000 } })
    expect(items.filter(({ id }) => ids.includes(id))).toEqual([])
  })

  test('are searched by name and URL, and show the result of the last delivery', async () => {
    const { id, name } = await subscribed('/searched')
    await raise()
    await attempted(id)
    const { items } = await admin.call('alert_receiver_search', { query: { search: '/searched' } })
    expect(items.map((item) => [item.name, item.last_delivery?.state])).toEqual([
      [name, 'delivered'],
    ])
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('have secrets that can be added and removed', async () => {
    const { id, secrets } = await create()
    const query = { receiver: id }
    const added = await admin.call('webhook_secrets_add', { query, body: { secret: 'more' } })
    const listed = await admin.call('webhook_secrets_list', { query })
    expect(listed.secrets).toEqual([...secrets, added])
    await admin.call('webhook_secrets_delete', { params: { secret_id: added.id } })
    expect((await admin.call('webhook_secrets_list', { query })).secrets).toEqual(secrets)
    const again = await admin.refusal('webhook_secrets_delete', {
      params: { secret_id: added.id },
    })
    expect(again.message).toBe(`not found: webhook-secret with id "${added.id}"`)
  })

  test('require non-empty secrets, up to a limit', async () => {
    expect(await refused({ secrets: [] })).toEqual([
      400,
      'InvalidRequest',
      'receiver has no secrets, so delivery requests cannot be sent',
    ])
    expect(await refused({ secrets: [''] })).toEqual(invalid('secrets', 'must not be empty'))
    expect((await refused({ secrets: Array.from({ length: 17 }, String) }))[2]).toBe(
      alertMessages.tooManySecrets,
    )
  })

  test('are refused on forbidden networks, even by a name that leads there', async () => {
    for (const endpoint of [
      'http://127.0.0.2/',
      'https://10.0.0.1/hook',
      'https://[::1]/',
      'https://169.254.169.254/latest/meta-data',
      'https://2130706434/',
      'https://[::ffff:10.0.0.1]/',
    ]) {
      expect(await refused({ endpoint })).toEqual(
        invalid('endpoint', alertMessages.forbidden(endpoint)),
      )
    }
    const created = await create()
    const { message } = await admin.refusal('webhook_receiver_update', {
      params: { receiver: created.id },
      body: { endpoint: 'https://192.168.1.1/' },
    })
    expect(message).toContain('contains an address that may not be used')
    const nobody = createWebhooks()
    expect(await nobody.refusal('http://localhost/')).toBe(
      alertMessages.forbidden('http://localhost/'),
    )
  })

  test('require HTTP URLs without credentials', async () => {
    for (const [endpoint, text] of [
      ['x', urlMessages.notUrl],
      ['', urlMessages.notUrl],
      ['file:///etc/passwd', urlMessages.scheme],
      ['https://me:secret@1.1.1.1/', urlMessages.credentials],
      [`https://1.1.1.1/${'x'.repeat(2048)}`, urlMessages.tooLong],
    ] as const) {
      expect(await refused({ endpoint })).toEqual(invalid('endpoint', text))
    }
  })
})

describe('subscriptions', () => {
  test('are added and removed', async () => {
    const { id } = await create()
    const params = { receiver: id }
    const add = (subscription: string) =>
      admin.call('alert_receiver_subscription_add', { params, body: { subscription } })
    expect(await add('hardware.*.psu.*')).toEqual({ subscription: 'hardware.*.psu.*' })
    await add('hardware.*.psu.*')
    await add('not.yet.**')
    const view = () => admin.call('alert_receiver_view', { params })
    expect((await view()).subscriptions).toEqual(['hardware.*.psu.*', 'not.yet.**'])
    const remove = { params: { ...params, subscription: 'not.yet.**' } }
    await admin.call('alert_receiver_subscription_remove', remove)
    expect((await view()).subscriptions).toEqual(['hardware.*.psu.*'])
    const { status } = await admin.refusal('alert_receiver_subscription_remove', remove)
    expect(status).toBe(404)
  })

  test.each([
    ['', 'must not be empty'],
    ['a b', 'invalid alert class "a b": alert classes do not contain whitespace'],
    ['a..b', 'invalid alert class "a..b": dot-delimited alert class segments must not be empty'],
    [
      'a.b*',
      `invalid alert class "a.b*": all segments must be either '*', '**', or any sequence of non-'*' alphanumeric characters`,
    ],
    [
      'probe',
      "the 'probe' alert class is a synthetic alert used only for webhook liveness probes, and is not included in alert lists and cannot be subscribed to",
    ],
  ])('%j is refused', async (subscription, text) => {
    expect(await refused({ subscriptions: [subscription] })).toEqual(invalid('alert_class', text))
  })

  test('to an unknown class are refused', async () => {
    const { status, message } = await admin.refusal('alert_receiver_subscription_add', {
      params: { receiver: (await create()).id },
      body: { subscription: 'hardware.fire' },
    })
    expect([status, message]).toEqual([404, 'not found: alert-class with name "hardware.fire"'])
  })

  test('match one segment or several', () => {
    expect(subscribesTo('a.*.c', 'a.b.c')).toBe(true)
    expect(subscribesTo('a.*', 'a.b.c')).toBe(false)
    expect(subscribesTo('a.**', 'a.b.c')).toBe(true)
    expect(subscribesTo('**.c', 'a.b.c')).toBe(true)
    expect(subscribesTo('**', 'a')).toBe(true)
    expect(subscribesTo('a.**', 'a')).toBe(false)
    expect(subscribesTo('a.b', 'a.c')).toBe(false)
  })

  test('select classes', async () => {
    const names = async (query: object) =>
      (await admin.call('alert_class_list', { query })).items.map(({ name }) => name)
    const both = ['hardware.power_shelf.psu.insert', PSU_REMOVED]
    const rules = ['alert_rule.firing', 'alert_rule.resolved']
    expect(await names({})).toEqual([...rules, ...both, 'probe'])
    expect(await names({ filter: '**' })).toEqual([...rules, ...both])
    expect(await names({ filter: 'alert_rule.*' })).toEqual(rules)
    expect(await names({ filter: 'hardware.*.*.remove' })).toEqual([PSU_REMOVED])
    expect(await names({ filter: 'nothing.*' })).toEqual([])
  })
})

describe('deliveries', () => {
  test('are signed with every secret', async () => {
    const { id, secrets } = await create({
      endpoint: `${receiver.url}/signed?x=1`,
      secrets: ['first', 'zweites ☂'],
      subscriptions: ['hardware.**.remove'],
    })
    const { id: alertId, alert: data } = await raise()
    const [attempt] = await attempted(id)
    expect(attempt).toMatchObject({ attempt: 1, result: 'succeeded', response: { status: 200 } })
    const [{ headers, body: text, signatures }] = receivedAt('/signed?x=1') as [
      ReturnType<typeof receivedAt>[number],
    ]
    const [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: 'delivered', trigger: 'alert', alert_id: alertId })
    expect(JSON.parse(text)).toEqual({
      alert_class: PSU_REMOVED,
      alert_version: 0,
      alert_id: alertId,
      data,
      delivery: {
        id: delivery!.id,
        receiver_id: id,
        sent_at: attempt!.time_sent,
        trigger: 'alert',
      },
    })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-oxide-delivery-id': delivery!.id,
      'x-oxide-receiver-id': id,
      'x-oxide-alert-id': alertId,
      'x-oxide-alert-class': PSU_REMOVED,
      'x-oxide-alert-version': '0',
      'x-oxide-timestamp': attempt!.time_sent,
    })
    const expected = ['first', 'zweites ☂'].map((secret) =>
      createHmac('sha256', secret).update(text).digest('hex'),
    )
    // Secrets made at the same moment have no order.
    expect(signatures.map((each) => each.split('&s=')[1]).sort()).toEqual(expected.sort())
    expect(signatures.map((each) => each.split('&s=')[0]).sort()).toEqual(
      secrets.map((secret) => `a=sha256&id=${secret.id}`).sort(),
    )
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('go to subscribers, once', async () => {
    const [one, other] = [
      await subscribed('/one'),
      await create({ endpoint: `${receiver.url}/no` }),
    ]
    const { id } = await raise()
    await attempted(one.id)
    expect(receivedAt('/one').map(({ headers }) => headers['x-oxide-alert-id'])).toEqual([id])
    expect(await deliveries(other.id)).toEqual([])
    await admin.call('alert_receiver_delete', { params: { receiver: one.id } })
  })

  test.each([
    ['/status/500', { result: 'failed_http_error', response: { status: 500 } }],
    ['/status/404', { result: 'failed_http_error', response: { status: 404 } }],
    ['/redirect', { result: 'failed_http_error', response: { status: 307 } }],
    ['/close', { result: 'failed_unreachable', response: null }],
    ['/huge', { result: 'succeeded', response: { status: 200 } }],
    ['/status/204', { result: 'succeeded', response: { status: 204 } }],
  ])('to %s have the expected result', async (path, outcome) => {
    const { id } = await subscribed(path)
    await raise()
    expect((await attempted(id))[0]).toMatchObject(outcome)
    const state = outcome.result === 'succeeded' ? 'delivered' : 'pending'
    expect((await deliveries(id))[0]!.state).toBe(state)
    expect(receivedAt('/elsewhere')).toEqual([])
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('over TLS to a plain server, and to a closed port, are unreachable', async () => {
    const webhooks = createWebhooks(loopback)
    const plain = receiver.url.replace('http:', 'https:')
    expect(await webhooks.post(plain, [], '{}')).toEqual({ failed: 'unreachable' })
    expect(await webhooks.post('http://127.0.0.1:1/', [], '{}')).toEqual({ failed: 'unreachable' })
  })

  test('over TLS with an untrusted certificate are unreachable', async () => {
    const { cert, key } = await makeCertificate({ names: ['localhost'] })
    let requests = 0
    const secure = createServer({ cert, key }, (_, response) => {
      requests++
      response.end()
    })
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
    onTestFinished(() => void secure.close())
    const { port } = secure.address() as AddressInfo
    const url = `https://localhost:${port}/`
    expect(await createWebhooks(loopback).post(url, [], '{}')).toEqual({ failed: 'unreachable' })
    expect(requests).toBe(0)
  })

  test('end at a timeout, or when the server stops', async () => {
    const url = `${receiver.url}/hang`
    expect(await createWebhooks(loopback, 50).post(url, [], '{}')).toEqual({ failed: 'timeout' })
    const stopping = createWebhooks(loopback)
    const sent = stopping.post(`${receiver.url}/hang/stopped`, [], '{}')
    await expect.poll(() => receivedAt('/hang/stopped').length, patiently).toBe(1)
    stopping.close()
    expect(await sent).toBe('cut_off')
  })

  test('are not made to a forbidden address, even if it was permitted before', async () => {
    // The network was permitted when the receiver was made, or its name led elsewhere.
    const outside = createWebhooks()
    for (const host of ['127.0.0.1', 'localhost']) {
      const url = new URL('/forbidden', receiver.url)
      url.hostname = host
      expect(await outside.post(url.href, [], '{}')).toEqual({ failed: 'unreachable' })
    }
    expect(receivedAt('/forbidden')).toEqual([])
    const { id } = await addReceiver(server, fresh(), 'http://127.0.0.2:9/')
    await raise()
    expect((await attempted(id))[0]).toMatchObject({ result: 'failed_unreachable' })
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('are tried three times', async () => {
    const { id } = await subscribed('/status/503')
    stopClocks()
    await raise()
    const states = async () => (await deliveries(id)).map(({ state }) => state)
    /** A new secret makes the reconciler look for due deliveries. */
    const wake = () =>
      admin.call('webhook_secrets_add', { query: { receiver: id }, body: { secret: 'new' } })
    await attempted(id, 1)
    for (const [index, backoff] of webhookBackoffsMs.entries()) {
      vi.advanceTimersByTime(backoff - 1_000)
      await wake()
      expect(await states()).toEqual(['pending'])
      expect(await attemptsOf(id)).toHaveLength(index + 1)
      vi.advanceTimersByTime(2_000)
      await wake()
      await attempted(id, index + 2)
    }
    expect(await states()).toEqual(['failed'])
    expect((await attemptsOf(id)).map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('are not delayed by a clock set back', async () => {
    const { id } = await subscribed('/status/500')
    stopClocks()
    await raise()
    await attempted(id, 1)
    // The step that has made the attempt has ended as well, and does not write the next time later.
    await expect
      .poll(
        () =>
          server.db
            .selectFrom('alert_receiver')
            .select('lease_until')
            .where('id', '=', id)
            .executeTakeFirstOrThrow(),
        patiently,
      )
      .toEqual({ lease_until: null })
    // The time of the next attempt is now more than a day ahead, and the clock stands still.
    vi.setSystemTime(Date.now() - 24 * 60 * 60 * 1000)
    expect(await attempted(id, 2)).toHaveLength(2)
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('do not wait for another receiver that does not answer', async () => {
    const slow = await subscribed('/hang/slow')
    await raise()
    await expect.poll(() => receivedAt('/hang/slow').length, patiently).toBe(1)
    const quick = await subscribed('/quick')
    await raise()
    await attempted(quick.id)
    expect(await attemptsOf(slow.id)).toEqual([])
    for (const { id } of [slow, quick]) {
      await admin.call('alert_receiver_delete', { params: { receiver: id } })
    }
    receiver.answer('/hang/slow', (response) => void response.end())
  })

  test('wait until there is a secret', async () => {
    const { id, secrets } = await subscribed('/locked')
    await admin.call('webhook_secrets_delete', { params: { secret_id: secrets[0]!.id } })
    const { status, message } = await admin.refusal('alert_receiver_probe', {
      params: { receiver: id },
    })
    expect([status, message]).toEqual([400, alertMessages.noSecrets])
    await raise()
    await admin.call('webhook_secrets_add', { query: { receiver: id }, body: { secret: 'x' } })
    expect((await attempted(id))[0]!.result).toBe('succeeded')
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('are listed by state, receiver and alert', async () => {
    const { id } = await addReceiver(server, fresh())
    const alertId = crypto.randomUUID()
    const now = Date.now()
    const states = ['pending', 'delivered', 'failed'] as const
    const rows = states.map((state, index) => ({
      id: crypto.randomUUID(),
      receiver_id: id,
      alert_id: alertId,
      name: PSU_REMOVED,
      trigger: 'alert' as const,
      state,
      time_started: new Date(now + index).toISOString(),
      time_next_attempt: null,
      attempts: '[]',
    }))
    await server.db.insertInto('alert_delivery').values(rows).execute()
    const statesOf = async (query: object) =>
      (await deliveries(id, query)).map(({ state }) => state)
    expect(await statesOf({})).toEqual(states)
    expect(await statesOf({ sort_by: 'time_and_id_descending' })).toEqual(states.toReversed())
    expect(await statesOf({ failed: true })).toEqual(['failed'])
    expect(await statesOf({ failed: true, pending: true })).toEqual(['pending', 'failed'])
    expect(await statesOf({ failed: false })).toEqual(['pending', 'delivered'])
    expect(await statesOf({ limit: 2 })).toEqual(['pending', 'delivered'])
    const first = await admin.call('alert_delivery_search', {
      query: { alert: alertId, limit: 2, sort_by: 'time_started_descending' },
    })
    expect(first.items.map(({ state }) => state)).toEqual(['failed', 'delivered'])
    const second = await admin.call('alert_delivery_search', {
      query: { page_token: first.next_page! },
    })
    expect(second.items.map(({ state, receiver_id }) => [state, receiver_id])).toEqual([
      ['pending', id],
    ])
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
    const { items } = await admin.call('alert_delivery_search', { query: { alert: alertId } })
    expect(items).toEqual([])
  })
})

describe('probes', () => {
  const probe = (id: string, query: object = {}) =>
    admin.call('alert_receiver_probe', { params: { receiver: id }, query })

  test('report whether a receiver answers', async () => {
    const { id } = await create({ endpoint: `${receiver.url}/probed` })
    const { probe: sent, resends_started } = await probe(id)
    expect(sent).toMatchObject({ alert_class: 'probe', trigger: 'probe', state: 'delivered' })
    expect(resends_started).toBeNull()
    expect(JSON.parse(receivedAt('/probed')[0]!.body)).toMatchObject({
      alert_class: 'probe',
      data: {},
      delivery: { trigger: 'probe' },
    })
    expect(await deliveries(id)).toEqual([sent])
  })

  test('that fail are not retried, and resend nothing', async () => {
    const { id } = await create({ endpoint: `${receiver.url}/status/500` })
    const { probe: sent, resends_started } = await probe(id, { resend: true })
    expect([sent.state, sent.attempts.webhook[0]!.result, resends_started]).toEqual([
      'failed',
      'failed_http_error',
      null,
    ])
  })

  test('that succeed resend failed deliveries', async () => {
    const path = '/mended'
    receiver.answer(path, (response) => void response.writeHead(500).end())
    const { id } = await subscribed(path)
    const { id: alertId } = await raise()
    await attempted(id)
    await server.db
      .updateTable('alert_delivery')
      .set({ state: 'failed', time_next_attempt: null })
      .where('receiver_id', '=', id)
      .execute()
    receiver.answer(path, (response) => void response.end())
    expect((await probe(id, { resend: true })).resends_started).toBe(1)
    const resent = async () =>
      (await deliveries(id)).filter(
        ({ trigger, state }) => trigger === 'resend' && state !== 'pending',
      )
    await expect.poll(resent, patiently).toMatchObject([{ alert_id: alertId, state: 'delivered' }])
    expect((await probe(id, { resend: true })).resends_started).toBe(0)
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })
})

describe('alerts', () => {
  test('are raised when a power supply is removed or inserted', async () => {
    const { power } = server.host.controlPlane.engines
    await power.change('remove', 2)
    await power.change('remove', 2)
    await power.change('insert', 2)
    const { items } = await admin.call('alert_search', { query: { search: 'SIM-PSU-0002' } })
    expect(items.map((item) => item.class).sort()).toEqual([
      'hardware.power_shelf.psu.insert',
      PSU_REMOVED,
    ])
    expect(items[0]!.alert).toMatchObject({ slot: 2, serial_number: 'SIM-PSU-0002' })
  })

  test('can be delivered again', async () => {
    const alertId = await addAlert(server)
    const { id, name } = await create({ endpoint: `${receiver.url}/again` })
    const args = { params: { alert_id: alertId }, query: { receiver: name } }
    const { status, message } = await admin.refusal('alert_delivery_resend', args)
    expect([status, message]).toEqual([
      400,
      `cannot resend alert: receiver is not subscribed to the '${PSU_REMOVED}' alert class`,
    ])
    await admin.call('alert_receiver_subscription_add', {
      params: { receiver: id },
      body: { subscription: '**' },
    })
    const { delivery_id } = await admin.call('alert_delivery_resend', args)
    await attempted(id)
    expect(await deliveries(id)).toMatchObject([{ id: delivery_id, trigger: 'resend' }])
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })

  test('are listed by class and time', async () => {
    const at = (minute: number) => new Date(Date.UTC(2020, 0, 1, 0, minute))
    const ids = []
    for (const minute of [0, 1, 2]) ids.push(await addAlert(server, { minute }, at(minute)))
    const list = async (query: object) =>
      (await admin.call('alert_list', { query })).items.map(({ id }) => id)
    const range = { start_time: at(0).toISOString(), end_time: at(2).toISOString() }
    expect(await list(range)).toEqual(ids.slice(0, 2))
    expect(await list({ ...range, sort_by: 'time_and_id_descending' })).toEqual(
      ids.slice(0, 2).toReversed(),
    )
    expect(await list({ ...range, alert_class: '*.*.*.insert' })).toEqual([])
    expect(await list({ ...range, alert_class: '**.remove' })).toEqual(ids.slice(0, 2))
    const { message } = await admin.refusal('alert_list', { query: { alert_class: 'probe' } })
    expect(message).toContain('synthetic alert')
    for (const alert_class of ['unmatched.**', 'hardware.*.fan.*']) {
      const { message: absent } = await admin.refusal('alert_list', { query: { alert_class } })
      expect(absent).toBe(`not found: alert-class with name "${alert_class}"`)
    }
    const unknown = { alert_class: 'hardware.power_shelf.fan.remove' }
    expect(await admin.refusal('alert_list', { query: unknown })).toMatchObject({
      status: 404,
      message: `not found: alert-class with name "${unknown.alert_class}"`,
    })
    const backwards = { start_time: range.end_time, end_time: range.start_time }
    expect(await admin.refusal('alert_list', { query: backwards })).toMatchObject({
      status: 400,
      message: 'start_time must not be after end_time',
    })
    const search = (query: object) => admin.call('alert_search', { query })
    const old = await search({ age: 'older', class: PSU_REMOVED })
    expect(old.items.map(({ id }) => id)).toEqual(ids)
    const { counts } = await search({ count_by: 'age' })
    expect(counts).toContainEqual({ word: 'older', count: 3 })
  })

  test('and their deliveries are removed when they are old', async () => {
    const receiverId = (await addReceiver(server, fresh())).id
    const old = await addAlert(server, {}, new Date(Date.UTC(2019, 0, 1)))
    const young = await addAlert(server)
    await purgeAlerts(server.db, new Date(Date.UTC(2019, 0, 2)).toISOString(), () => true)
    const { message } = await admin.refusal('alert_view', { params: { alert_id: old } })
    expect(message).toBe(`not found: alert with id "${old}"`)
    expect((await deliveries(receiverId)).map(({ alert_id }) => alert_id)).toEqual([young])
    await admin.call('alert_receiver_delete', { params: { receiver: receiverId } })
  })
})

describe.runIf(inject('dialect') === 'postgres')('two servers', () => {
  test('share the deliveries: each is made by one of them', async () => {
    const other = await startTestServer({
      databaseUrl: server.databaseUrl,
      data: server.data,
      webhookNetworks: loopback,
    })
    onTestFinished(() => other.close())
    const { id } = await subscribed('/shared')
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => addAlert(index % 2 ? server : other)),
    )
    await attempted(id, ids.length)
    const made = await deliveries(id)
    expect(made.map(({ alert_id }) => alert_id).sort()).toEqual(ids.sort())
    expect(made.map(({ state, attempts }) => [state, attempts.webhook.length])).toEqual(
      ids.map(() => ['delivered', 1]),
    )
    const received = new Set(
      receivedAt('/shared').map((each) => each.headers['x-oxide-delivery-id']),
    )
    expect(received).toEqual(new Set(made.map((each) => each.id)))
    await admin.call('alert_receiver_delete', { params: { receiver: id } })
  })
})
