/** Records of use, reports of them, and their prices. */
import type { Wire } from '@steading/api'
import { startsOfDays } from '@steading/api/days'
import {
  costOf,
  GiB,
  parsePrice,
  quantityOf,
  USAGE_DECIMALS,
  USAGE_KEPT_MS,
  usageMessages,
  type UsageMetric,
  usageMetrics,
} from '@steading/api/rules'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { purgeDeleted } from '../../../src/purge.ts'
import { GOES_ON, type UsageRecordTable } from '../../../src/resources/tenancy/usage/table.ts'
import {
  ensureUsageRecording,
  RECORDED_SINCE,
} from '../../../src/resources/tenancy/usage/recording.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import {
  blankDisk,
  detachedDisk,
  reaches,
  siloBody,
  stoppedInstance,
} from '../../support/things.ts'
import { fromNow } from '../../support/times.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const query = { project: 'web' }

let server: TestServer
let projectId: string
beforeAll(async () => {
  server = await startTestServer()
  const body = { name: 'web', description: '' }
  projectId = (await server.admin.call('project_create', { body })).id
})
afterAll(() => server.close())

const today = () => new Date().toISOString().slice(0, 10)
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const usageOf = (query: Record<string, string>, path = '/x/v1/usage') =>
  `${path}?${String(new URLSearchParams(query))}`

/** The records of a resource, the earliest first, with numbers as such. */
async function recordsOf(id: string) {
  const rows = await server.db
    .selectFrom('usage_record')
    .selectAll()
    .where('thing_id', '=', id)
    .orderBy('time_start')
    .orderBy('metric')
    .execute()
  return rows.map((row) => ({
    ...row,
    time_start: Number(row.time_start),
    time_end: Number(row.time_end),
    amount: Number(row.amount),
    tags: JSON.parse(row.tags) as Record<string, string>,
  }))
}

/** Something done, with the times before and after. */
async function timed<T>(act: () => Promise<T>): Promise<{ done: T; from: number; to: number }> {
  const from = Date.now()
  const done = await act()
  return { done, from, to: Date.now() }
}

/** Clocks of the server and the database round differently. */
const within = (ms: number, { from, to }: { from: number; to: number }) => {
  expect(ms).toBeGreaterThanOrEqual(from - 1)
  expect(ms).toBeLessThanOrEqual(to + 1)
}

describe('records', () => {
  test('a running instance counts its vCPUs and memory, with the tags of the time', async () => {
    const { admin } = server
    const { id } = await stoppedInstance(admin, query, 'app', { ncpus: 2, memory: 3 * GiB })
    expect(await recordsOf(id)).toEqual([])
    const params = { instance: id }
    const started = await timed(async () => {
      await admin.call('instance_start', { params })
      await reaches(admin, id, 'running')
    })
    const tagged = await timed(() =>
      admin.call('tags_change', {
        params: { kind: 'instance', thing: id },
        body: { set: ['env:prod', 'team:a'] },
      }),
    )
    const stopped = await timed(async () => {
      await admin.call('instance_stop', { params })
      await reaches(admin, id, 'stopped')
    })
    const records = await recordsOf(id)
    for (const [metric, amount] of [
      ['vcpu', 2],
      ['memory', 3],
    ] as const) {
      const its = records.filter((record) => record.metric === metric)
      expect(its.every((record) => record.amount === amount && record.name === 'app')).toBe(true)
      expect(its.every((record) => record.project_id === projectId)).toBe(true)
      expect(its[0]!.tags).toEqual({})
      within(its[0]!.time_start, started)
      within(its[0]!.time_end, tagged)
      expect(its.at(-1)!.tags).toEqual({ env: 'prod', team: 'a' })
      within(its.at(-1)!.time_end, stopped)
      // Nothing is lost or counted twice between them.
      for (const [index, record] of its.slice(1).entries()) {
        expect(record.time_start).toBe(its[index]!.time_end)
      }
    }
    // A stopped instance may be resized, which begins nothing.
    const body = {
      ncpus: 4,
      memory: GiB,
      boot_disk: null,
      auto_restart_policy: null,
      cpu_platform: null,
      multicast_groups: null,
    }
    await admin.call('instance_update', { params, body })
    await admin.call('instance_delete', { params })
    expect(await recordsOf(id)).toEqual(records)
  })

  test('disks, snapshots and images count from their creation to their deletion', async () => {
    const { admin } = server
    const created = await timed(() => detachedDisk(admin, query, 'data', { size: 5 * GiB }))
    const { id } = created.done
    const snapshot = await admin.call('snapshot_create', {
      query,
      body: { name: 'copy', description: '', disk: 'data' },
    })
    const image = await server.createImage('base', projectId)
    const [record] = await recordsOf(id)
    expect(record).toMatchObject({ metric: 'disk', amount: 5, name: 'data', time_end: GOES_ON })
    within(record!.time_start, created)
    expect(await recordsOf(snapshot.id)).toMatchObject([{ metric: 'snapshot', amount: 5 }])
    // An image that moves to the silo belongs to no project from then on.
    await admin.call('image_promote', { params: { image: image.id } })
    const moved = await recordsOf(image.id)
    expect(moved.map((one) => one.project_id)).toEqual([projectId, null])
    expect(moved[1]!.time_start).toBe(moved[0]!.time_end)
    await admin.call('image_delete', { params: { image: image.id } })
    const deleted = await timed(() => admin.call('disk_delete', { params: { disk: id } }))
    within((await recordsOf(id))[0]!.time_end, deleted)
    expect((await recordsOf(image.id))[1]!.time_end).toBeLessThan(GOES_ON)
  })

  test('addresses count while they are held, and those of outbound translation do not', async () => {
    const { admin, db } = server
    const instance = await admin.call('instance_create', {
      query,
      body: {
        name: 'edge',
        description: '',
        hostname: 'edge',
        ncpus: 1,
        memory: GiB,
        start: false,
        network_interfaces: { type: 'default_ipv4' },
        external_ips: [{ type: 'ephemeral' }],
      },
    })
    await reaches(admin, instance.id, 'stopped')
    const floating = await admin.call('floating_ip_create', {
      query,
      body: { name: 'front', description: '' },
    })
    const rows = await db.selectFrom('external_ip').selectAll().execute()
    const ofKind = (kind: string) => rows.find((row) => row.kind === kind)!
    expect(await recordsOf(ofKind('snat').id)).toEqual([])
    expect(await recordsOf(ofKind('ephemeral').id)).toMatchObject([
      { metric: 'ephemeral_ip', amount: 1, name: ofKind('ephemeral').ip },
    ])
    expect(await recordsOf(floating.id)).toMatchObject([{ metric: 'floating_ip', amount: 1 }])
    const deleted = await timed(() =>
      admin.call('instance_delete', { params: { instance: instance.id } }),
    )
    within((await recordsOf(ofKind('ephemeral').id))[0]!.time_end, deleted)
    expect((await recordsOf(floating.id))[0]!.time_end).toBe(GOES_ON)
    await admin.call('floating_ip_delete', { params: { floating_ip: floating.id } })
  })

  test('a clock that was set back makes no negative intervals, and counts nothing twice', async () => {
    const { admin, db } = server
    const { id } = await detachedDisk(admin, query, 'early')
    const ahead = fromNow(60 * 60 * 1000).getTime()
    const move = (columns: Partial<UsageRecordTable>) =>
      db.updateTable('usage_record').set(columns).where('thing_id', '=', id).execute()
    // It ended by a clock that was an hour ahead, and is tagged by the right one.
    await move({ time_end: ahead })
    await db.updateTable('disk').set({ time_deleted: '' }).where('id', '=', id).execute()
    await db.updateTable('disk').set({ time_deleted: null }).where('id', '=', id).execute()
    expect((await recordsOf(id)).map((one) => one.time_start)).toEqual([expect.anything(), ahead])
    // The second one ends before it began, so it did not happen.
    await admin.call('disk_delete', { params: { disk: id } })
    expect(await recordsOf(id)).toMatchObject([{ time_end: ahead }])
    // A clock that was more than a day ahead was wrong.
    await move({ time_end: fromNow(3 * DAY_MS).getTime() })
    const again = await timed(() =>
      db.updateTable('disk').set({ time_deleted: null }).where('id', '=', id).execute(),
    )
    within((await recordsOf(id))[1]!.time_start, again)
    await db.updateTable('disk').set({ time_deleted: '' }).where('id', '=', id).execute()
  })

  test('existing resources count since their creation once records begin', async () => {
    const { db, host } = server
    const { id } = await detachedDisk(server.admin, query, 'older')
    const time_created = '2026-01-02T03:04:05.678Z'
    await db.updateTable('disk').set({ time_created }).where('id', '=', id).execute()
    await db.deleteFrom('usage_record').execute()
    await db.deleteFrom('setting').where('key', '=', RECORDED_SINCE).execute()
    // As in a database of an earlier version, which has no triggers.
    const { database } = host.controlPlane
    const triggers =
      inject('dialect') === 'sqlite'
        ? sql<{ name: string; on: string }>`select name, '' as "on" from sqlite_schema
            where type = 'trigger' and name like 'usage_on_%'`
        : sql<{ name: string; on: string }>`select tgname as name, ' on ' || relname as "on"
            from pg_trigger join pg_class on pg_class.oid = tgrelid
            where tgname like 'usage_on_%'`
    for (const { name, on } of (await triggers.execute(db)).rows) {
      await sql.raw(`drop trigger ${name}${on}`).execute(db)
    }
    await ensureUsageRecording(database)
    const [record] = await recordsOf(id)
    expect(record).toMatchObject({ metric: 'disk', time_end: GOES_ON })
    expect(new Date(record!.time_start).toISOString()).toBe(time_created)
    await server.admin.call('disk_delete', { params: { disk: id } })
    expect((await recordsOf(id))[0]!.time_end).toBeLessThan(GOES_ON)
  })
})

/** A record in whole numbers, as in the table. */
type Invented = Omit<UsageRecordTable, 'tags'> & { tags: Record<string, string> }

const T0 = Date.parse('2025-03-01T00:00:00Z')
/** Two months, in which clocks are put forward in Europe. */
const SPAN_MS = 62 * DAY_MS

const invented = (place: { silos: string[]; projects: (string | null)[] }) =>
  fc.array(
    fc
      .record({
        start: fc.integer({ min: -5 * DAY_MS, max: SPAN_MS }),
        length: fc.oneof(
          fc.integer({ min: 1, max: 3_600_000 }),
          fc.integer({ min: 1, max: SPAN_MS }),
        ),
        metric: fc.constantFrom(...usageMetrics),
        amount: fc.integer({ min: 1, max: 1536 }),
        silo_id: fc.constantFrom(...place.silos),
        project_id: fc.constantFrom(...place.projects),
        tags: fc.constantFrom<Record<string, string>>({}, { env: 'prod' }, { env: '' }, { a: 'b' }),
      })
      .map(({ start, length, ...rest }): Invented => ({
        ...rest,
        thing_id: crypto.randomUUID(),
        name: 'invented',
        time_start: T0 + start,
        time_end: T0 + start + length,
      })),
    { minLength: 20, maxLength: 60 },
  )

const priceLists = fc.uniqueArray(
  fc.record({
    day: fc.integer({ min: -10, max: 62 }),
    prices: fc.dictionary(
      fc.constantFrom(...usageMetrics),
      fc.constantFrom('0', '0.000001', '0.0123', '17', '999999.999999'),
    ),
  }),
  { selector: ({ day }) => day, maxLength: 4 },
)

/** Adds up records one by one. */
function addUp(
  records: readonly Invented[],
  from: number,
  to: number,
  versions: readonly { start: number; prices: Partial<Record<string, string>> }[],
) {
  const used = new Map<UsageMetric, { unitMs: bigint; priced: bigint }>()
  for (const { metric, amount, time_start, time_end } of records) {
    const [start, end] = [Math.max(time_start, from), Math.min(time_end, to)]
    if (start >= end) continue
    const sum = used.get(metric) ?? { unitMs: 0n, priced: 0n }
    sum.unitMs += BigInt(amount) * BigInt(end - start)
    for (const [index, version] of versions.entries()) {
      const [first, last] = [version.start, versions[index + 1]?.start ?? Infinity]
      const [begins, ends] = [Math.max(start, first), Math.min(end, last)]
      if (begins >= ends) continue
      sum.priced +=
        BigInt(amount) * BigInt(ends - begins) * parsePrice(version.prices[metric] ?? '0')!
    }
    used.set(metric, sum)
  }
  return used
}

const amountsOf = (used: ReturnType<typeof addUp>, currency: string | undefined) => ({
  amounts: usageMetrics.flatMap((metric) => {
    const sum = used.get(metric)
    if (!sum) return []
    return {
      metric,
      quantity: quantityOf(sum.unitMs, USAGE_DECIMALS),
      cost: currency === undefined ? null : costOf(sum.priced, currency),
    }
  }),
  cost:
    currency === undefined
      ? null
      : costOf(
          [...used.values()].reduce((all, { priced }) => all + priced, 0n),
          currency,
        ),
})

const isZero = ({ quantity }: { quantity: string }) => Number(quantity) === 0

describe('a report', () => {
  /** @returns the number of compared reports */
  const addsUp = async (numRuns: number): Promise<number> => {
    let compared = 0
    const { admin, db, siloId } = server
    const other = await server.createSilo(`other-${numRuns}`)
    const place = { silos: [siloId, other], projects: [projectId, crypto.randomUUID(), null] }
    const days = fc
      .tuple(fc.integer({ min: 0, max: 61 }), fc.integer({ min: 0, max: 61 }))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
    await fc.assert(
      fc.asyncProperty(
        invented(place),
        priceLists,
        days,
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'),
        fc.constantFrom('total', 'silo', 'project' as const),
        fc.constantFrom(undefined, 'env'),
        fc.constantFrom('EUR', 'JPY'),
        async (records, list, [first, last], time_zone, group_by, tag_key, currency) => {
          await db.deleteFrom('usage_record').execute()
          await db
            .insertInto('usage_record')
            .values(records.map((one) => ({ ...one, tags: JSON.stringify(one.tags) })))
            .execute()
          const versions = list.map(({ day, prices }) => ({
            valid_from: dayAt(T0 + day * DAY_MS),
            prices,
          }))
          const body = { currency, shown_to_silos: true, versions }
          await admin.call('price_list_update', { body })
          const range = {
            first_day: dayAt(T0 + first * DAY_MS),
            last_day: dayAt(T0 + last * DAY_MS),
            time_zone,
          }
          const report = await admin.call('system_usage_view', {
            query: { ...range, group_by, ...(tag_key && { tag_key }) },
          })
          const inTime = list
            .map(({ day, prices }) => ({ start: T0 + day * DAY_MS, prices }))
            .toSorted((a, b) => a.start - b.start)
          const shown = inTime.length > 0 ? currency : undefined
          const starts = startsOfDays(range.first_day, range.last_day, time_zone)
          const [from, to] = [starts[0]!.start, starts.at(-1)!.start]
          const expected = (some: readonly Invented[], begin = from, end = to) =>
            amountsOf(addUp(some, begin, end, inTime), shown)
          expect(report.total).toEqual(expected(records))
          expect(report.currency).toBe(shown ?? null)
          for (const [index, { day, ...amounts }] of report.days.entries()) {
            expect(day).toBe(starts[index]!.day)
            const its = expected(records, starts[index]!.start, starts[index + 1]!.start)
            expect({ ...amounts, amounts: amounts.amounts.filter((one) => !isZero(one)) }).toEqual({
              ...its,
              amounts: its.amounts.filter((one) => !isZero(one)),
            })
          }
          const seen = records.filter((one) => one.time_start < to && one.time_end > from)
          const groups = Map.groupBy(seen, (one) =>
            JSON.stringify([
              group_by === 'total' ? null : one.silo_id,
              group_by === 'project' ? one.project_id : null,
              tag_key === undefined ? null : (one.tags[tag_key] ?? null),
            ]),
          )
          compared++
          expect(report.lines.length).toBe(groups.size)
          for (const { silo, project, tag_value, ...amounts } of report.lines) {
            const key = JSON.stringify([silo?.id ?? null, project?.id ?? null, tag_value])
            expect(amounts).toEqual(expected(groups.get(key)!))
          }
        },
      ),
      { numRuns, endOnFailure: true },
    )
    await db.deleteFrom('usage_record').execute()
    await admin.call('price_list_update', {
      body: { currency: null, shown_to_silos: false, versions: [] },
    })
    return compared
  }
  test('has the exact sums of random records, in any days, time zone and prices', async () => {
    expect(await addsUp(12)).toBe(12)
  })
  test('has the exact sums of many random records @long', async () => {
    expect(await addsUp(300)).toBe(300)
  })

  test('keeps deleted projects and silos under their last names', async () => {
    const { admin, db } = server
    const body = { name: 'gone', description: '' }
    const { id } = await admin.call('project_create', { body })
    const disk = await admin.call('disk_create', {
      query: { project: 'gone' },
      body: blankDisk('brief'),
    })
    await detachedDisk(admin, { project: 'gone' }, 'second')
    for (const name of ['brief', 'second']) {
      await sql`update disk set state = 'detached', reconcile_at = null
        where id = ${disk.id}`.execute(db)
      await admin.call('disk_delete', { params: { disk: name }, query: { project: 'gone' } })
    }
    const subnet = { vpc: 'default', project: 'gone' }
    await admin.call('vpc_subnet_delete', { params: { subnet: 'default' }, query: subnet })
    await admin.call('vpc_delete', { params: { vpc: 'default' }, query: { project: 'gone' } })
    await admin.call('project_delete', { params: { project: id } })
    const line = async () => {
      const report = await admin.call('usage_view', {
        query: { first_day: today(), last_day: today() },
      })
      return report.lines.find(({ project }) => project?.id === id)
    }
    const before = await line()
    expect(before).toMatchObject({ project: { name: 'gone', deleted: true } })
    await db.updateTable('project').set({ time_deleted: '2020' }).where('id', '=', id).execute()
    await db.deleteFrom('project').where('id', '=', id).execute()
    expect(await line()).toEqual(before)
    await purgeDeleted(db, '2021', () => true)
    expect(await line()).toEqual(before)
  })

  test('shows costs to users of silos only if operators want that', async () => {
    const { admin } = server
    await detachedDisk(admin, query, 'priced')
    const versions = [{ valid_from: '2026-01-01', prices: { disk: '1.5' } }]
    const range = { first_day: '2026-01-01', last_day: '2026-01-31' }
    const currencyOf = async () => (await admin.call('usage_view', { query: range })).currency
    await admin.call('price_list_update', {
      body: { currency: 'EUR', shown_to_silos: false, versions },
    })
    expect(await currencyOf()).toBeNull()
    // Operators see the prices of today, and users only once they see costs.
    const today = { currency: 'EUR', prices: { disk: '1.5' } }
    const { caller } = await server.createUser('payer', { projects: { [projectId]: 'viewer' } })
    expect(await admin.call('current_prices_view')).toEqual(today)
    expect(await caller.call('current_prices_view')).toEqual({ currency: null, prices: {} })
    expect((await admin.call('system_usage_view', { query: range })).currency).toBe('EUR')
    await admin.call('price_list_update', {
      body: { currency: 'EUR', shown_to_silos: true, versions },
    })
    expect(await currencyOf()).toBe('EUR')
    expect(await caller.call('current_prices_view')).toEqual(today)
    const later = [{ valid_from: '8998-01-01', prices: { disk: '2' } }]
    await admin.call('price_list_update', {
      body: { currency: 'EUR', shown_to_silos: true, versions: later },
    })
    expect(await caller.call('current_prices_view')).toEqual({ currency: null, prices: {} })
  })

  test('shows users their own silo and projects only', async () => {
    const { admin } = server
    const one = await server.createUser('reader', { projects: { [projectId]: 'viewer' } })
    const range = { first_day: today(), last_day: today() }
    expect((await one.caller.refused('GET', usageOf(range))).status).toBe(403)
    const its = await one.caller.call('usage_view', { query: { ...range, ...query } })
    expect(its.lines.every(({ project }) => project?.id === projectId)).toBe(true)
    const { id } = await admin.call('silo_create', { body: siloBody('apart') })
    const elsewhere = await server.createUser('stranger', { silo: 'admin' }, id)
    const theirs = await elsewhere.caller.call('usage_view', { query: range })
    expect(theirs.lines).toEqual([])
    const refusal = await elsewhere.caller.refused('GET', usageOf({ ...range, project: projectId }))
    expect(refusal.status).toBe(404)
  })

  test('is refused for ranges that are none', async () => {
    const { admin } = server
    const refused = async (range: Record<string, string>) => {
      const refusal = await admin.refused('GET', usageOf(range, '/x/v1/system/usage'))
      expect(refusal.status).toBe(400)
      return refusal
    }
    const day = { first_day: '2026-02-01', last_day: '2026-02-01' }
    expect((await refused({ ...day, last_day: '2026-01-31' })).message).toBe(usageMessages.order)
    expect((await refused({ ...day, last_day: '2027-02-02' })).message).toBe(usageMessages.tooLong)
    expect((await refused({ ...day, last_day: '2026-02-30' })).message).toContain(usageMessages.day)
    await refused({ ...day, time_zone: 'Mars/Olympus' })
    await refused({ ...day, tag_key: 'a:b' })
    const future = await admin.call('system_usage_view', {
      query: { first_day: '2199-01-01', last_day: '2199-01-31' },
    })
    expect(future).toMatchObject({ lines: [], days: [], total: { amounts: [] } })
  })
})

test('the file of records has each interval within the days', async () => {
  const { admin, db, siloId } = server
  const thing_id = crypto.randomUUID()
  const record = {
    thing_id,
    metric: 'vcpu' as const,
    time_start: Date.parse('2025-06-30T23:00:00Z'),
    time_end: Date.parse('2025-07-01T01:30:00Z'),
    amount: 4,
    name: '=app',
    silo_id: siloId,
    project_id: projectId,
    tags: JSON.stringify({ env: 'prod', spare: '' }),
  }
  await db.insertInto('usage_record').values(record).execute()
  const path = '/x/v1/usage/records?first_day=2025-07-01&last_day=2025-07-31'
  const { body, headers } = await admin.send('GET', path)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [, line, end] = (body as string).split('\r\n')
  expect(line).toBe(
    `main,${siloId},web,${projectId},'=app,${thing_id},vcpu,vCPU hour,4,2025-07-01T00:00:00.000Z,2025-07-01T01:30:00.000Z,6.000000000,"env:prod, spare"`,
  )
  expect(end).toBe('')
})

test('the file of records breaks off once its reader may not read them any more', async () => {
  const { db, siloId } = server
  const reader = await server.createUser('accountant', { projects: { [projectId]: 'viewer' } })
  const time_start = Date.parse('2024-03-01T00:00:00Z')
  // More than the buffers between the server and its reader hold.
  const records = Array.from({ length: 60_000 }, (_, index) => ({
    thing_id: crypto.randomUUID(),
    metric: 'vcpu' as const,
    time_start,
    time_end: time_start + index + 1,
    amount: 1,
    name: 'app',
    silo_id: siloId,
    project_id: projectId,
    tags: '{}',
  }))
  for (let start = 0; start < records.length; start += 1_000) {
    await db
      .insertInto('usage_record')
      .values(records.slice(start, start + 1_000))
      .execute()
  }
  const path = usageOf(
    { project: 'web', first_day: '2024-03-01', last_day: '2024-03-01' },
    '/x/v1/usage/records',
  )
  const response = await reader.caller.fetch(path)
  expect(response.status).toBe(200)
  const body = response.body!.getReader()
  expect((await body.read()).done).toBe(false)
  await db.deleteFrom('role_assignment').where('identity_id', '=', reader.id).execute()
  const rest = async () => {
    while (!(await body.read()).done);
  }
  await expect(rest()).rejects.toThrow('terminated')
  expect((await reader.caller.fetch(path)).status).toBe(404)
})

test('records are removed long after their end, and those that go on stay', async () => {
  const { admin, db, siloId } = server
  const { id } = await detachedDisk(admin, query, 'lasting')
  const end = Date.now() - USAGE_KEPT_MS
  const record = (thing_id: string, time_end: number) => ({
    thing_id,
    metric: 'vcpu' as const,
    time_start: 0,
    time_end,
    amount: 1,
    name: 'old',
    silo_id: siloId,
    project_id: projectId,
    tags: '{}',
  })
  const [old, recent] = [crypto.randomUUID(), crypto.randomUUID()]
  await db
    .insertInto('usage_record')
    .values([record(old, end - DAY_MS), record(recent, end + DAY_MS)])
    .execute()
  await server.host.controlPlane.tidy()
  expect(await recordsOf(old)).toEqual([])
  expect(await recordsOf(recent)).toHaveLength(1)
  expect(await recordsOf(id)).toHaveLength(1)
})

describe('a price list', () => {
  const list = (values: object = {}): Wire.PriceListUpdate => ({
    currency: 'EUR',
    shown_to_silos: false,
    versions: [{ valid_from: '2026-01-01', prices: { vcpu: '0.01' } }],
    ...values,
  })

  test('is replaced as a whole, unless others have replaced it meanwhile', async () => {
    const { admin } = server
    const versions = [
      { valid_from: '2026-01-01', prices: { vcpu: '0.01' } },
      { valid_from: '2026-07-01', prices: { vcpu: '0.02', disk: '0.0001' } },
    ]
    const put = (headers: Record<string, string> = {}) =>
      admin.send('PUT', '/x/v1/system/price-list', { body: list({ versions }), headers })
    const seen = (await admin.send('GET', '/x/v1/system/price-list')).headers.get('etag')!
    expect((await put({ 'if-match': seen })).status).toBe(200)
    expect((await put({ 'if-match': seen })).status).toBe(412)
    const stored = await admin.call('price_list_view')
    expect(stored.versions).toEqual(versions.toReversed())
    await admin.call('price_list_update', { body: list({ currency: null, versions: [] }) })
    expect(await admin.call('price_list_view')).toMatchObject({ currency: null, versions: [] })
  })

  test.each([
    ['a price that is none', { versions: [{ valid_from: '2026-01-01', prices: { vcpu: '-1' } }] }],
    ['seven decimals', { versions: [{ valid_from: '2026-01-01', prices: { vcpu: '0.0000001' } }] }],
    ['a number', { versions: [{ valid_from: '2026-01-01', prices: { vcpu: 1 } }] }],
    ['a day that is none', { versions: [{ valid_from: '2026-02-30', prices: {} }] }],
    [
      'a day twice',
      {
        versions: [
          { valid_from: '2026-01-01', prices: {} },
          { valid_from: '2026-01-01', prices: {} },
        ],
      },
    ],
    ['an unknown currency', { currency: 'EURO' }],
    ['no currency', { currency: null }],
  ])('is refused with %s', async (_, values) => {
    const path = '/x/v1/system/price-list'
    const refusal = await server.admin.refused('PUT', path, { body: list(values) })
    expect(refusal.status).toBe(400)
  })
})
