/** Alert rules on metrics: permissions and alerts. */
import { BlockList } from 'node:net'
import type { Wire } from '@steading/api'
import {
  ALERT_RULES_MAX,
  alertRuleMessages,
  alertRulePresets,
  conditionWords,
  RULE_INTERVAL_MS,
} from '@steading/api/rules'
import { type Sample, tooExpensivePatterns } from '@steading/oxql'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import {
  type TimeSeriesStore,
  TimeSeriesUnavailable,
} from '../../../src/kernel/ports/time-series.ts'
import {
  evaluateRule,
  writeEvaluations,
} from '../../../src/resources/observability/alert-rules/evaluate.ts'
import type { RuleRow } from '../../../src/resources/observability/alert-rules/wire.ts'
import type { Caller } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { runJob, targets } from '../../support/jobs.ts'
import { reaches, smallInstance } from '../../support/things.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts'

const STEP_S = 5

let server: TestServer
let receiver: WebhookReceiver
let project: Wire.Project
let member: Caller
let instance: Wire.Instance
const loopback = new BlockList()
loopback.addAddress('127.0.0.1')

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ webhookNetworks: loopback })
  project = await server.admin.call('project_create', { body: { name: 'work', description: '' } })
  const projects = { [project.id]: 'limited_collaborator' } as const
  member = (await server.createUser('member', { projects })).caller
  const made = await server.admin.call('instance_create', {
    query: { project: 'work' },
    body: smallInstance('busy', { start: true }),
  })
  instance = await reaches(server.admin, made.id, 'running')
  stopClocks()
})
afterAll(async () => {
  vi.useRealTimers()
  receiver.close()
  await server.close()
})
/** The rules of earlier tests must not be evaluated in later ones. */
beforeEach(async () => {
  for (const { id } of (await search()).items) await remove(id)
  for (const { id } of (await server.admin.call('system_alert_rule_search')).items) {
    await server.admin.call('system_alert_rule_delete', { params: { alert_rule: id } })
  }
})

const query = { project: 'work' }
const QUERY = 'get virtual_machine:vcpu_usage | filter state == "run"'
let unique = 0
const body = ({
  name = `rule-${unique++}`,
  description = '',
  query: text = QUERY,
  comparison = 'above',
  threshold = 10,
  duration = 10,
  severity = 'warning',
  tag_filter,
}: Partial<Wire.AlertRuleCreate> = {}): Wire.AlertRuleCreate => ({
  name,
  description,
  query: text,
  comparison,
  threshold,
  duration,
  severity,
  enabled: true,
  tag_filter,
})
/** @param values the query may be that of a counter */
const create = (values: Partial<Wire.AlertRuleCreate> = {}, caller = member) =>
  caller.call('alert_rule_create', { query, body: body(values) })
const search = (filters: object = {}, caller = server.admin) =>
  caller.call('alert_rule_search', { query: { ...query, ...filters } })
const view = (id: string) => member.call('alert_rule_view', { params: { alert_rule: id } })
const remove = (id: string) =>
  server.admin.call('alert_rule_delete', { params: { alert_rule: id } })
const seriesOf = async (id: string) =>
  (await member.call('alert_rule_series_list', { params: { alert_rule: id } })).items
const firingsOf = async (id: string) =>
  (await member.call('alert_rule_firing_list', { params: { alert_rule: id } })).items
const alertsOf = async (rule: { id: string }) => {
  const { items } = await server.admin.call('alert_list', { query: { limit: 1000 } })
  return items
    .filter(({ alert }) => (alert as { rule?: { id: string } }).rule?.id === rule.id)
    .map((one): Record<string, any> => ({ class: one.class, ...(one.alert as object) }))
}

/** A counter of a fictitious machine, to which tests append samples. */
function counterOf(
  instance: string = crypto.randomUUID(),
  of: { id: string; siloId: string } | null = null,
) {
  const startTime = Date.now() - 600_000
  let total = 0
  let at = 0
  return {
    instance,
    query: `${QUERY} && instance_id == "${instance}"`,
    /** Samples until now, each larger than the one before by the increase. */
    async add(increase: number, samples: number) {
      const list: Sample[] = []
      at = Math.max(at, Date.now())
      for (let index = 0; index < samples; index++) {
        at += STEP_S * 1000
        total += increase
        list.push({
          name: 'virtual_machine:vcpu_usage',
          fields: {
            instance_id: instance,
            project_id: of?.id ?? project.id,
            silo_id: of?.siloId ?? server.siloId,
            sled_id: project.id,
            sled_model: 'm',
            sled_revision: 1,
            sled_serial: 's',
            state: 'run',
            vcpu_id: 0,
          },
          timestamp: at,
          startTime,
          datum: total,
        })
      }
      await server.host.controlPlane.engines.timeSeries!.append(list)
      vi.setSystemTime(at)
    },
  }
}

/** Advances the time until all rules are due, and evaluates them. */
async function evaluate(ms = RULE_INTERVAL_MS) {
  vi.advanceTimersByTime(ms)
  await server.host.controlPlane.evaluateRules()
}

const refused = async (values: Partial<Wire.AlertRuleCreate>) => {
  const { status, message } = await member.refusal('alert_rule_create', {
    query,
    body: body(values),
  })
  return [status, message]
}
const invalid = (label: string, text: unknown) => [
  400,
  `unsupported value for "${label}": ${text as string}`,
]

describe('rules', () => {
  test('can be created, shown, changed, disabled and deleted', async () => {
    const made = await create({ name: 'busy', description: 'Too much' })
    expect(made).toMatchObject({
      name: 'busy',
      project_id: project.id,
      threshold: 10,
      units: 'nanoseconds/5s',
      enabled: true,
      state: 'waiting',
      time_evaluated: null,
    })
    const named = { params: { alert_rule: 'busy' }, query }
    expect(await member.call('alert_rule_view', named)).toEqual(made)
    expect(await refused({ name: 'busy' })).toEqual([400, 'already exists: alert-rule "busy"'])
    const off = await member.call('alert_rule_update', { ...named, body: { enabled: false } })
    expect(off).toMatchObject({ enabled: false, state: 'disabled', threshold: 10 })
    const missing = await member.call('alert_rule_update', {
      ...named,
      body: { name: 'silent', comparison: 'no_data', duration: 300, enabled: true },
    })
    expect(missing).toMatchObject({ name: 'silent', threshold: null, state: 'waiting' })
    expect(await search({ search: 'sil', severity: 'warning' })).toMatchObject({ total: 1 })
    expect(await search({ state: 'firing' })).toMatchObject({ total: 0 })
    await remove(made.id)
    expect(
      await member.refusal('alert_rule_view', { params: { alert_rule: made.id } }),
    ).toMatchObject({ status: 404 })
  })

  test('with an invalid or unsuitable query are refused with the position', async () => {
    const says = alertRuleMessages
    const [status, message] = await refused({ query: 'get virtual_machine:vcpu_usage | filtr' })
    expect(status).toBe(400)
    expect(message).toMatch(/^unsupported value for "query": Error at 1:34: .*\n\s*\^\nExpected:/)
    expect(await refused({ query: 'get no:such' })).toEqual(
      invalid('query', 'Timeseries not found for: no:such'),
    )
    expect(await refused({ query: `${QUERY} | filter timestamp > @now() - 5m` })).toEqual(
      invalid('query', `Error at 1:65: ${says.time}`),
    )
    expect(await refused({ query: `${QUERY} | last 1` })).toEqual(
      invalid('query', `Error at 1:58: ${says.limited('last')}`),
    )
    expect(await refused({ query: `{ ${QUERY}; ${QUERY} }` })).toEqual(
      invalid('query', says.oneTable),
    )
    const aligned = `${QUERY} | align mean_within(10s)`
    expect(await refused({ query: `{ ${aligned}; ${aligned} } | join` })).toEqual(
      invalid('query', `Error at 1:168: ${says.oneNumber}`),
    )
    const merged = `${QUERY} | group_by [instance_id], sum`
    expect(await refused({ query: merged })).toEqual(
      invalid('query', 'Input tables to a `group_by` must be aligned'),
    )
    // The series of a project are those with its field.
    expect((await refused({ query: 'get http_service:request_latency_histogram' }))[0]).toBe(400)
    const histogram = { query: 'get http_service:request_latency_histogram' }
    expect(
      await server.admin.refusal('system_alert_rule_create', { body: body(histogram) }),
    ).toMatchObject({ status: 400, message: expect.stringContaining(says.noNumber) })
    expect(await refused({ threshold: null })).toEqual(invalid('threshold', says.threshold))
    expect(await refused({ comparison: 'no_data' })).toEqual(invalid('threshold', says.noThreshold))
    expect(await refused({ comparison: 'no_data', threshold: null, duration: 5 })).toEqual(
      invalid('duration', says.noDataDuration),
    )
    expect(await refused({ duration: 100_000 })).toEqual(invalid('duration', says.duration))
    const { id } = await create()
    const change = { params: { alert_rule: id }, body: { query: 'nothing' } }
    expect(await member.refusal('alert_rule_update', change)).toMatchObject({ status: 400 })
  })

  test('are deleted in bulk, and with their project', async () => {
    const some = [await create(), await create(), await create()]
    const [kept, ...gone] = some.map(({ id }) => id)
    await runJob(member, 'delete', 'alert_rule', targets(...gone))
    expect((await search()).items.map(({ id }) => id)).toEqual([kept])
    const other = await server.admin.call('project_create', {
      body: { name: 'brief', description: '' },
    })
    const within = { query: { project: 'brief' } }
    await server.admin.call('alert_rule_create', { ...within, body: body() })
    const vpcs = await server.admin.call('vpc_list', within)
    for (const { id } of vpcs.items) {
      const subnets = await server.admin.call('vpc_subnet_list', { query: { vpc: id } })
      for (const subnet of subnets.items) {
        await server.admin.call('vpc_subnet_delete', { params: { subnet: subnet.id } })
      }
      await server.admin.call('vpc_delete', { params: { vpc: id } })
    }
    const deletion = await server.admin.call('project_deletion', { params: { project: 'brief' } })
    expect(deletion.groups).toContainEqual(
      expect.objectContaining({ relation: 'goes', kind: 'alert_rule', total: 1 }),
    )
    await server.admin.call('project_delete', { params: { project: 'brief' } })
    const left = server.db.selectFrom('alert_rule').select('id').where('project_id', '=', other.id)
    expect(await left.execute()).toEqual([])
  })

  test('are limited per project and system', async () => {
    const one = (await server.db
      .selectFrom('alert_rule')
      .selectAll()
      .where('id', '=', (await create()).id)
      .executeTakeFirstOrThrow())!
    const rows = Array.from({ length: ALERT_RULES_MAX - 1 }, (_, index) => ({
      ...one,
      id: crypto.randomUUID(),
      name: `full-${index}`,
      name_key: `full-${index}`,
      time_due: null,
    }))
    await server.db.insertInto('alert_rule').values(rows).execute()
    expect(await refused({})).toEqual([400, alertRuleMessages.tooManyRules])
    await server.db.deleteFrom('alert_rule').where('project_id', '=', project.id).execute()
  })
})

describe('evaluation', () => {
  test('a rule is pending, fires, alerts its receivers, and resolves', async () => {
    await server.admin.call('webhook_receiver_create', {
      body: {
        name: 'pager',
        description: '',
        endpoint: `${receiver.url}/rules`,
        secrets: ['sesame'],
        subscriptions: ['alert_rule.*'],
      },
    })
    const counter = counterOf()
    await counter.add(5, 3)
    const rule = await create({ ...counter, name: 'told', severity: 'critical', duration: 30 })
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'ok', series: 1, firing: 0 })

    await counter.add(20, 4)
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'pending', pending: 1 })
    expect(await alertsOf(rule)).toEqual([])

    await counter.add(20, 4)
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'firing', firing: 1, problem: null })
    const [series] = await seriesOf(rule.id)
    expect(series).toMatchObject({ state: 'firing', value: 20 })
    expect(series!.fields).toMatchObject({ instance_id: counter.instance })
    const [alert] = await alertsOf(rule)
    expect(alert).toMatchObject({
      class: 'alert_rule.firing',
      rule: { name: 'told', severity: 'critical', threshold: 10, units: 'nanoseconds/5s' },
      project: { id: project.id, name: 'work' },
      series_total: 1,
      series: [{ value: 20, fields: { instance_id: counter.instance }, time_resolved: null }],
    })

    // Nothing is reported twice.
    await counter.add(20, 6)
    await evaluate()
    await evaluate()
    expect(await alertsOf(rule)).toHaveLength(1)

    await counter.add(5, 3)
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'ok', firing: 0 })
    expect((await alertsOf(rule)).map((one) => one.class)).toEqual([
      'alert_rule.firing',
      'alert_rule.resolved',
    ])
    expect(await firingsOf(rule.id)).toMatchObject([{ resolution: 'passed', value: 20 }])
    await expect
      .poll(() => receiver.received.map((one) => JSON.parse(one.body).alert_class))
      .toEqual(['alert_rule.firing', 'alert_rule.resolved'])
  })

  test('a rule sees the load of an instance', async () => {
    const { admin } = server
    const rule = await create({
      query: `get virtual_machine:vcpu_usage | filter instance_id == "${instance.id}" && state == "run"`,
      threshold: 0.6 * STEP_S * 1e9,
      duration: 20,
    })
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round++) {
        vi.advanceTimersByTime(STEP_S * 1000)
        await server.host.controlPlane.collect()
      }
      await evaluate()
    }
    await rounds(4)
    expect((await view(rule.id)).firing).toBe(0)
    await admin.call('simulated_instance_set_load', {
      params: { instance: instance.id },
      body: { cpu: 100, disk: 0, network: 0 },
    })
    await rounds(12)
    expect(await view(rule.id)).toMatchObject({ state: 'firing', firing: 1 })
    const { items } = await member.call('firing_alert_list', { query: { instance: instance.id } })
    expect(items).toMatchObject([{ rule_id: rule.id, series: 1, project_name: 'work' }])
  })

  test('missing values fire, even for a query without results', async () => {
    const counter = counterOf()
    await counter.add(5, 3)
    const silent = { comparison: 'no_data', threshold: null, duration: 120 } as const
    const rule = await create({ ...counter, ...silent })
    const never = await create({ ...silent, query: 'get virtual_disk:reads' })
    await evaluate()
    expect((await view(rule.id)).firing).toBe(0)
    await evaluate(100_000)
    expect(await view(rule.id)).toMatchObject({ state: 'pending' })
    await evaluate(60_000)
    expect((await view(rule.id)).firing).toBeGreaterThan(0)
    expect(await view(never.id)).toMatchObject({ state: 'firing', series: 1 })
    await counterOf(counter.instance).add(5, 2)
    await evaluate()
    const [series] = await seriesOf(rule.id)
    expect(series).toMatchObject({ state: 'ok' })
  })

  test('a firing rule that is changed, disabled or deleted is reported as resolved', async () => {
    const counter = counterOf()
    const rules = [await create(counter), await create(counter), await create(counter)]
    await counter.add(20, 6)
    await evaluate()
    for (const { id } of rules) expect((await view(id)).state).toBe('firing')
    const [changed, off, gone] = rules.map(({ id }) => ({ params: { alert_rule: id } }))
    await member.call('alert_rule_update', { ...changed!, body: { threshold: 12 } })
    await member.call('alert_rule_update', { ...off!, body: { enabled: false } })
    await member.call('alert_rule_delete', gone!)
    for (const [index, resolution] of ['changed', 'disabled', 'deleted'].entries()) {
      const alerts = (await alertsOf(rules[index]!)).toSorted((a, b) =>
        a.class < b.class ? -1 : 1,
      )
      expect(alerts.map((one) => one.class)).toEqual(['alert_rule.firing', 'alert_rule.resolved'])
      expect(alerts[1]!.series).toMatchObject([{ resolution }])
    }
    // A change of name or description does not end the firing.
    await evaluate()
    expect((await view(rules[0]!.id)).state).toBe('firing')
    await member.call('alert_rule_update', { ...changed!, body: { description: 'Anew' } })
    expect((await view(rules[0]!.id)).state).toBe('firing')
    await evaluate()
    expect((await view(rules[1]!.id)).state).toBe('disabled')
  })

  test('a failed evaluation is reported, and evaluation continues afterwards', async () => {
    const counter = counterOf()
    const rule = await create(counter)
    await counter.add(20, 6)
    await evaluate()
    expect((await view(rule.id)).state).toBe('firing')
    const store = server.host.controlPlane.engines.timeSeries!
    const read = vi
      .spyOn(store, 'read')
      .mockRejectedValue(new TimeSeriesUnavailable('The store is away'))
    onTestFinished(() => read.mockRestore())
    await evaluate()
    const failing = await view(rule.id)
    expect(failing).toMatchObject({ state: 'failing', problem: 'The store is away', firing: 1 })
    const { items } = await server.admin.call('issue_list')
    expect(items).toContainEqual(
      expect.objectContaining({ id: `alert_rule_failing:${rule.id}`, path: expect.any(String) }),
    )
    await evaluate()
    expect((await view(rule.id)).time_state_updated).toBe(failing.time_state_updated)
    read.mockRestore()
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'firing', problem: null })
    // It has fired all the time.
    expect(await alertsOf(rule)).toHaveLength(1)
  })

  test('a rule with a too expensive query is disabled, with the reason', async () => {
    const counter = counterOf()
    const rule = await create(counter)
    await counter.add(20, 6)
    await evaluate()
    expect((await view(rule.id)).state).toBe('firing')
    // Such a rule can no longer be created.
    const expensive = `${QUERY} && state ~= "(?i)[${'k-\u{1e943}'.repeat(900)}]"`
    await expect(
      member.call('alert_rule_update', {
        params: { alert_rule: rule.id },
        body: { query: expensive },
      }),
    ).rejects.toThrow(tooExpensivePatterns)
    await server.host.controlPlane.database.db
      .updateTable('alert_rule')
      .set({ query: expensive })
      .where('id', '=', rule.id)
      .execute()
    await evaluate()
    expect(await view(rule.id)).toMatchObject({
      state: 'disabled',
      enabled: false,
      problem: tooExpensivePatterns,
      firing: 0,
    })
    expect(await alertsOf(rule)).toHaveLength(2)
    const { items } = await server.admin.call('issue_list')
    const its = items.filter(({ id }) => id.endsWith(rule.id))
    expect(its).toHaveLength(1)
    expect(its[0]).toMatchObject({
      sentence: expect.stringContaining(`was disabled: ${tooExpensivePatterns}`),
    })
    await member.call('alert_rule_update', {
      params: { alert_rule: rule.id },
      body: { query: QUERY, enabled: true },
    })
    expect(await view(rule.id)).toMatchObject({ state: 'waiting', problem: null })
  })

  test('an evaluation of an outdated row leaves nothing behind', async () => {
    const counter = counterOf()
    const rule = await create(counter)
    await counter.add(20, 6)
    const { database, engines } = server.host.controlPlane
    const read = () =>
      server.db.selectFrom('alert_rule').selectAll().where('id', '=', rule.id).executeTakeFirst()
    const store: TimeSeriesStore = engines.timeSeries!
    const parts = { database, store, clock: () => new Date() }
    const row = (await read())!
    // Two servers that both believe they hold the lease: one of them writes.
    const evaluate = async (row: RuleRow) =>
      writeEvaluations(database, [(await evaluateRule(parts, row))!])
    await Promise.all([evaluate(row), evaluate(row)])
    expect(await alertsOf(rule)).toHaveLength(1)
    expect(await firingsOf(rule.id)).toHaveLength(1)
    // A rule disabled meanwhile no longer fires.
    const late = (await read())!
    await member.call('alert_rule_update', {
      params: { alert_rule: rule.id },
      body: { enabled: false },
    })
    await evaluate(late)
    expect(await view(rule.id)).toMatchObject({ state: 'disabled', firing: 0 })
  })

  test('rules are evaluated again even after the clock was set back', async () => {
    const counter = counterOf()
    const rule = await create(counter)
    await counter.add(20, 6)
    await evaluate()
    const before = await view(rule.id)
    const alerts = await alertsOf(rule)
    vi.setSystemTime(Date.now() - 6 * 3_600_000)
    await evaluate()
    const after = await view(rule.id)
    expect(after.state).toBe('firing')
    expect(after.time_evaluated! < before.time_evaluated!).toBe(true)
    expect(await alertsOf(rule)).toEqual(alerts)
    vi.setSystemTime(Date.now() + 6 * 3_600_000)
    // When the clock is right again, the rule continues where it was.
    await evaluate()
    expect(await alertsOf(rule)).toEqual(alerts)
    await counter.add(5, 3)
    await evaluate()
    expect((await alertsOf(rule)).map((one) => one.class)).toEqual([
      'alert_rule.firing',
      'alert_rule.resolved',
    ])
    expect(await firingsOf(rule.id)).toHaveLength(1)
  })

  test('setting the clock back or forth makes no pending or missing series fire', async () => {
    const counter = counterOf()
    const pending = await create({ ...counter, duration: 3_600 })
    const silent = await create({
      ...counter,
      comparison: 'no_data',
      threshold: null,
      duration: 600,
    })
    await counter.add(20, 6)
    await evaluate()
    for (const ms of [-6 * 3_600_000, 6 * 3_600_000]) {
      vi.setSystemTime(Date.now() + ms)
      await evaluate()
      expect((await view(pending.id)).state).toBe('pending')
      expect((await view(silent.id)).state).toBe('ok')
    }
    // A time without measurements has missing values, however it passed.
    vi.setSystemTime(Date.now() + 700_000)
    await evaluate()
    expect((await view(pending.id)).state).toBe('no_data')
    expect((await view(silent.id)).state).toBe('firing')
    expect(await alertsOf(pending)).toEqual([])
    expect(await alertsOf(silent)).toHaveLength(1)
  })
})

describe('a query that merges series', () => {
  test('has no result as long as there is nothing to merge', async () => {
    const counter = counterOf()
    const merging = `${counter.query} | align mean_within(10s) | group_by [instance_id], sum`
    const rule = await create({ query: merging })
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'no_data', series: 0, problem: null })
    await counter.add(20, 8)
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'firing', series: 1 })
    expect((await seriesOf(rule.id))[0]!.fields).toEqual({ instance_id: counter.instance })
  })
})

describe('a rule for resources with some tags', () => {
  const tag = (thing: string, change: object) =>
    server.admin.call('tags_change', { params: { kind: 'instance', thing }, body: change })
  let made = 0
  /** Two machines, of which the first one has the tag. */
  async function pair() {
    const make = () =>
      server.admin.call('instance_create', { query, body: smallInstance(`pair-${made++}`) })
    const [tagged, other] = [await make(), await make()]
    await tag(tagged.id, { set: [`pair:p${made}`, 'env:prod'] })
    const counters = [counterOf(tagged.id), counterOf(other.id)]
    const ids = `instance_id == "${tagged.id}" || instance_id == "${other.id}"`
    return {
      tagged,
      other,
      text: `${QUERY} && (${ids})`,
      filter: `pair:p${made},env`,
      async add(increase: number, samples: number) {
        const from = Date.now()
        for (const counter of counters) {
          vi.setSystemTime(from)
          await counter.add(increase, samples)
        }
      },
    }
  }

  test('is about their series alone, and says so in its alerts', async () => {
    const { tagged, text, filter, add } = await pair()
    await add(20, 6)
    const rule = await create({ query: text, tag_filter: filter })
    const sum = await create({
      query: `${text} | align mean_within(5s) | group_by [project_id], sum`,
      threshold: 30,
      tag_filter: filter,
    })
    const all = await create({ query: sum.query, threshold: 30 })
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'firing', series: 1, tag_filter: filter })
    const [series] = await seriesOf(rule.id)
    expect(series!.fields).toMatchObject({ instance_id: tagged.id })
    // The sum of both would be above the threshold.
    expect(await view(sum.id)).toMatchObject({ state: 'ok', series: 1 })
    expect(await view(all.id)).toMatchObject({ state: 'firing', series: 1 })
    const [alert] = await alertsOf(rule)
    const words = `on resources with ${filter.replace(',', ' and ')}`
    expect(alert!.rule).toMatchObject({ tag_filter: filter })
    expect(alert!.rule.condition).toContain(words)
    const { items } = await member.call('firing_alert_list', { query: { instance: tagged.id } })
    expect(items).toContainEqual(expect.objectContaining({ tag_filter: filter }))
    const issues = await server.admin.call('issue_list', {})
    expect(JSON.stringify(issues)).toContain(words)
  })

  test('ends the alerts of resources that lose a tag, and begins with those that get it', async () => {
    const { tagged, other, text, filter, add } = await pair()
    await add(20, 6)
    const rule = await create({ query: text, tag_filter: filter })
    const silent = { comparison: 'no_data', threshold: null, duration: 120 } as const
    const missing = await create({ query: text, tag_filter: filter, ...silent })
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'firing', firing: 1 })
    await tag(tagged.id, { remove: ['env'] })
    await tag(other.id, { set: filter.split(',').map((one) => one.replace(/^env$/, 'env:test')) })
    await add(20, 3)
    await evaluate()
    expect((await seriesOf(rule.id)).map(({ fields }) => fields)).toMatchObject([
      { instance_id: other.id },
    ])
    const firings = await firingsOf(rule.id)
    expect(firings.find(({ fields }) => (fields as any).instance_id === tagged.id)).toMatchObject({
      resolution: 'changed',
    })
    // The values of the machine without the tag are not missing.
    expect(await seriesOf(missing.id)).toMatchObject([{ fields: { instance_id: other.id } }])
    await member.call('alert_rule_update', {
      params: { alert_rule: rule.id },
      body: { tag_filter: null },
    })
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ tag_filter: null, series: 2 })
  })

  test('is tried out and its series are queried by the same tags', async () => {
    const { tagged, text, filter, add } = await pair()
    await add(20, 6)
    const condition = { query: text, comparison: 'above', threshold: 10, duration: 10 } as const
    const trial = { ...condition, tag_filter: filter, hours: 1 }
    const { series } = await member.call('alert_rule_try', { query, body: trial })
    expect(series.map(({ fields }) => fields)).toMatchObject([{ instance_id: tagged.id }])
    const asked = { query, body: { query: text, tag_filter: filter } }
    const idsIn = async (caller: Caller) => {
      const { tables } = await caller.call('tagged_timeseries_query', asked)
      return tables.flatMap(({ timeseries }) =>
        timeseries.map(({ fields }) => (fields as any).instance_id.value),
      )
    }
    expect(await idsIn(member)).toEqual([tagged.id])
    const guest = await server.createUser('guest', { projects: { [project.id]: 'viewer' } })
    expect(await idsIn(guest.caller)).toEqual([tagged.id])
    await server.admin.call('project_policy_update', {
      params: { project: 'work' },
      body: {
        role_assignments: (
          await server.admin.call('project_policy_view', { params: { project: 'work' } })
        ).role_assignments.filter(({ identity_id }) => identity_id !== guest.id),
      },
    })
    expect(await guest.caller.refusal('tagged_timeseries_query', asked)).toMatchObject({
      status: 404,
    })
    for (const wrong of ['', 'a,,b', ':x', 'a:b\n', Array(20).fill('a').join()]) {
      const bad = { query, body: { ...asked.body, tag_filter: wrong } }
      expect(await member.refusal('tagged_timeseries_query', bad)).toMatchObject({ status: 400 })
      expect((await refused({ tag_filter: wrong }))[0]).toBe(400)
    }
  })
})

describe('a trial', () => {
  test('shows the firings that a rule would have had', async () => {
    const counter = counterOf()
    await counter.add(5, 10)
    await counter.add(20, 10)
    await counter.add(5, 10)
    const trial = {
      query: counter.query,
      comparison: 'above',
      threshold: 10,
      duration: 20,
      hours: 1,
    } as const
    const result = await member.call('alert_rule_try', { query, body: trial })
    expect(result).toMatchObject({ firings: 1, units: 'nanoseconds/5s' })
    const [series] = result.series
    expect(series).toMatchObject({ state: 'ok', value: 5 })
    expect(series!.firings[0]!.time_resolved).not.toBeNull()
    expect(series!.points!.values).toHaveLength(29)
    const wrong = { ...trial, query: `${QUERY} | first 2` }
    expect(
      await member.refused('POST', '/x/v1/alert-rules/try?project=work', { body: wrong }),
    ).toMatchObject({ status: 400 })
    const viewer = await server.createUser('looker', { projects: { [project.id]: 'viewer' } })
    expect(await viewer.caller.call('alert_rule_try', { query, body: trial })).toEqual(result)
  })
})

describe('presets', () => {
  test.each(alertRulePresets.project)('$title is accepted for a project', async (preset) => {
    const { title, description: _, ...condition } = preset
    const { units } = await member.call('alert_rule_try', {
      query,
      body: { ...condition, hours: 1 },
    })
    const words = conditionWords({ ...condition, units }, null)
    expect(words.slice(0, beginOf(title).length)).toBe(beginOf(title))
  })

  test.each(alertRulePresets.system)('$title is accepted for the system', async (preset) => {
    const { title, description: _, ...condition } = preset
    const { units } = await server.admin.call('system_alert_rule_try', {
      body: { ...condition, hours: 1 },
    })
    const words = conditionWords({ ...condition, units }, null)
    expect(words.slice(0, beginOf(title).length)).toBe(beginOf(title))
  })

  /** The beginning of the condition in words, by the title. */
  const beginOf = (title: string): string => {
    if (title.startsWith('CPUs of a sled')) return 'below 10% '
    if (title === 'Instance stopped' || title.startsWith('No ')) return 'no data for '
    return / (above .*)$/.exec(title)?.[1] ?? 'above 0/s'
  }

  test('values aligned over less than a sample are not rates', async () => {
    const units = async (align: string) => {
      const body = {
        query: `get virtual_disk:bytes_read${align}`,
        comparison: 'above',
        threshold: 1,
        duration: 0,
        hours: 1,
      } as const
      return (await member.call('alert_rule_try', { query, body })).units
    }
    expect(await units('')).toBe('bytes/10s')
    expect(await units(' | align mean_within(10s)')).toBe('bytes/10s')
    expect(await units(' | align mean_within(5s)')).toBe('bytes')
  })
})

describe('permissions', () => {
  test('a rule of a project is separate from other projects', async () => {
    const foreign = await server.createSilo('foreign')
    const { caller: owner } = await server.createUser('owner', { silo: 'admin' }, foreign)
    const theirs = await owner.call('project_create', { body: { name: 'lab', description: '' } })
    const theirCounter = counterOf(undefined, { id: theirs.id, siloId: foreign })
    const rule = await create()
    const asked = await create({
      query: `get virtual_machine:vcpu_usage | filter project_id == "${theirs.id}" || silo_id == "${foreign}"`,
    })
    await theirCounter.add(20, 6)
    await evaluate()
    for (const { id } of [rule, asked]) {
      const instances = (await seriesOf(id)).map(({ fields }) => fields.instance_id)
      expect(instances).not.toContain(theirCounter.instance)
    }
    expect((await view(asked.id)).series).toBe(0)
    const trial = await member.call('alert_rule_try', {
      query,
      body: { query: QUERY, comparison: 'above', threshold: 10, duration: 0, hours: 1 },
    })
    expect(JSON.stringify(trial)).not.toContain(theirCounter.instance)

    const system = await server.admin.call('system_alert_rule_create', { body: body() })
    await evaluate()
    const params = { alert_rule: system.id }
    const seen = await server.admin.call('system_alert_rule_series_list', { params })
    expect(seen.items.map(({ fields }) => fields.instance_id)).toContain(theirCounter.instance)
    // Its firings are shown to operators alone, even for the instance.
    const at = { query: { instance: theirCounter.instance } }
    expect((await server.admin.call('firing_alert_list', at)).items).toHaveLength(1)
    for (const caller of [member, owner]) {
      expect((await caller.call('firing_alert_list', at)).items).toEqual([])
      expect(await caller.refusal('system_alert_rule_view', { params })).toMatchObject({
        status: 404,
      })
    }
    expect(
      await owner.refusal('alert_rule_view', { params: { alert_rule: rule.id } }),
    ).toMatchObject({ status: 404 })
    const { caller: stranger } = await server.createUser('rule-stranger')
    expect((await stranger.call('firing_alert_list')).items).toEqual([])
  })

  test('members and operators see firings; viewers change nothing', async () => {
    const counter = counterOf()
    const rule = await create({ ...counter, severity: 'critical' })
    await counter.add(20, 6)
    await evaluate()
    const { caller: viewer } = await server.createUser('rule-viewer', {
      projects: { [project.id]: 'viewer' },
    })
    const { items } = await viewer.call('firing_alert_list')
    expect(items).toMatchObject([{ rule_id: rule.id, severity: 'critical', project_name: 'work' }])
    const params = { alert_rule: rule.id }
    expect(await viewer.refusal('alert_rule_delete', { params })).toMatchObject({ status: 403 })
    expect(
      await viewer.refusal('alert_rule_update', { params, body: { enabled: false } }),
    ).toMatchObject({ status: 403 })
    const issues = await server.admin.call('issue_list')
    expect(issues.items).toContainEqual(
      expect.objectContaining({
        kind: 'alert_rule_critical',
        severity: 'critical',
        path: `/projects/work/alert-rules/${rule.name}`,
      }),
    )
  })

  test('a rule continues when its creator has lost all permissions', async () => {
    const { caller, id } = await server.createUser('leaver', {
      projects: { [project.id]: 'collaborator' },
    })
    const counter = counterOf()
    const rule = await create(counter, caller)
    await server.db.deleteFrom('role_assignment').where('identity_id', '=', id).execute()
    await counter.add(20, 6)
    await evaluate()
    expect(await view(rule.id)).toMatchObject({ state: 'firing' })
  })
})

describe.runIf(inject('dialect') === 'postgres')('two servers', () => {
  test('take turns: one evaluates, and the other takes over', async () => {
    const other = await startTestServer({
      databaseUrl: server.databaseUrl,
      data: server.data,
      webhookNetworks: loopback,
    })
    onTestFinished(() => other.close())
    const counter = counterOf()
    const rule = await create(counter)
    await counter.add(20, 6)
    vi.advanceTimersByTime(RULE_INTERVAL_MS)
    await Promise.all([
      server.host.controlPlane.evaluateRules(),
      other.host.controlPlane.evaluateRules(),
    ])
    expect(await view(rule.id)).toMatchObject({ state: 'firing' })
    expect(await alertsOf(rule)).toHaveLength(1)
  })
})
