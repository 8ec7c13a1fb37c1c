/** Provisioned capacity over time: in a project, a silo and the fleet. */
import type { Wire } from '@steading/api'
import { GiB, PROVISIONED_EVERY_MS, PROVISIONED_KEPT_MS } from '@steading/api/rules'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeProvisioned } from '../../../src/resources/observability/metrics/purge.ts'
import { recordAll } from '../../../src/resources/observability/metrics/record.ts'
import type { CallArgs, Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { blankDisk, smallInstance, until } from '../../support/things.ts'

const STORAGE = { metric_name: 'virtual_disk_space_provisioned' } as const
const HOUR_MS = 60 * 60 * 1000
const query = { project: 'web' }

let server: TestServer
let admin: Caller
let webId: string
beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  const made = await admin.call('project_create', { body: { name: 'web', description: '' } })
  webId = made.id
  await admin.call('project_create', { body: { name: 'other', description: '' } })
  // The housekeeping at the start also records points.
  await until(
    () => server.db.selectFrom('provisioned').select('kind').execute(),
    (points) => {
      if (points.length === 0) throw new Error('nothing is recorded yet')
    },
  )
})
afterAll(() => server.close())

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds)
/** The whole range up to now. */
const always = () => ({
  start_time: '2000-01-01T00:00:00Z',
  end_time: ago(-HOUR_MS).toISOString(),
})

const valuesOf = ({ items }: Wire.MeasurementResultsPage) =>
  items.map(({ datum }) => (datum.type === 'i64' ? datum.datum : datum.type))
const timesOf = ({ items }: Wire.MeasurementResultsPage) => items.map(({ timestamp }) => timestamp)

const read = async (more: CallArgs<'silo_metric'>['query'] = {}, caller = admin) =>
  caller.call('silo_metric', { params: STORAGE, query: { ...always(), ...more } })
const readFleet = async (more: CallArgs<'system_metric'>['query'] = {}) =>
  admin.call('system_metric', { params: STORAGE, query: { ...always(), ...more } })

/** Creates a history, by default of the silo. */
async function past(points: [ago: number, storage: number][], target_id = server.siloId) {
  await server.db.deleteFrom('provisioned').where('target_id', '=', target_id).execute()
  const rows = points.map(([milliseconds, storage]) => ({
    kind: target_id === webId ? ('project' as const) : ('silo' as const),
    target_id,
    time: ago(milliseconds).toISOString(),
    cpus: 0,
    memory: 0,
    storage,
  }))
  if (rows.length > 0) await server.db.insertInto('provisioned').values(rows).execute()
}

beforeEach(async () => {
  await server.db.deleteFrom('provisioned').execute()
})

test('disks and snapshots count from their creation to their deletion', async () => {
  await admin.call('disk_create', { query, body: { ...blankDisk('one'), size: 2 * GiB } })
  await admin.call('disk_create', {
    query: { project: 'other' },
    body: { ...blankDisk('two'), size: 3 * GiB },
  })
  await admin.call('snapshot_create', {
    query,
    body: { name: 'copy', description: '', disk: 'one' },
  })
  await admin.call('disk_delete', { params: { disk: 'two' }, query: { project: 'other' } })
  expect(valuesOf(await read({ project: 'web' }))).toEqual([2 * GiB, 4 * GiB])
  expect(valuesOf(await read({ project: webId, order: 'descending' }))).toEqual([4 * GiB, 2 * GiB])
  expect(valuesOf(await read({ project: 'other' }))).toEqual([3 * GiB, 0])
  const all = [2, 5, 7, 4].map((size) => size * GiB)
  expect(valuesOf(await read())).toEqual(all)
  expect(valuesOf(await readFleet())).toEqual(all)
  expect(valuesOf(await readFleet({ silo: 'main' }))).toEqual(all)
  await admin.call('snapshot_delete', { params: { snapshot: 'copy' }, query })
  await admin.call('disk_delete', { params: { disk: 'one' }, query })
  expect(valuesOf(await read()).at(-1)).toBe(0)
})

test('instances count while they run', async () => {
  const body = { ...smallInstance('vm'), start: true, ncpus: 3, memory: GiB }
  await admin.call('instance_create', { query, body })
  const of = async (metric_name: Wire.SystemMetricName) =>
    valuesOf(
      await admin.call('silo_metric', {
        params: { metric_name },
        query: { ...always(), ...query },
      }),
    )
  await until(
    () => of('cpus_provisioned'),
    (values) => expect(values).toEqual([3]),
  )
  expect(await of('ram_provisioned')).toEqual([GiB])
  await admin.call('instance_stop', { params: { instance: 'vm' }, query })
  await until(
    () => of('cpus_provisioned'),
    (values) => expect(values).toEqual([3, 0]),
  )
  expect(await of('ram_provisioned')).toEqual([GiB, 0])
})

test('refused calls leave no point', async () => {
  const body = { ...blankDisk('huge'), size: 1000 * GiB }
  await server.db.updateTable('silo').set({ quota_storage: GiB }).execute()
  const refused = await admin.send('POST', '/v1/disks?project=web', { body })
  expect(refused.status).toBe(507)
  expect(await read()).toEqual({ items: [], next_page: null })
  await server.db
    .updateTable('silo')
    .set({ quota_storage: 2 ** 40 })
    .execute()
})

test('no data is an empty page, even of a silo that has never used anything', async () => {
  await server.createSilo('empty')
  expect(await readFleet({ silo: 'empty' })).toEqual({ items: [], next_page: null })
})

test('concurrent writers leave the right sum, and so does each step on the way', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `together-${index}`)
  await Promise.all(
    names.map((name) => admin.call('disk_create', { query, body: blankDisk(name) })),
  )
  const size = blankDisk('').size
  const made = valuesOf(await read({ project: 'web' }))
  expect(made.at(-1)).toBe(names.length * size)
  expect(made.every((value) => (value as number) % size === 0)).toBe(true)
  // On a busy machine a disk may still be in state `creating`.
  await Promise.all(
    names.map((disk) =>
      until(
        () => admin.send('DELETE', `/v1/disks/${disk}?project=web`),
        ({ status }) => expect([204, 404]).toContain(status),
      ),
    ),
  )
  expect(valuesOf(await read()).at(-1)).toBe(0)
  expect(valuesOf(await read({ project: 'web' })).at(-1)).toBe(0)
})

test('after the clock is set back, future points are removed', async () => {
  await past([
    [2 * HOUR_MS, 1],
    [-HOUR_MS / 2, 2],
    // This far ahead, the present clock may be the wrong one.
    [-48 * HOUR_MS, 3],
  ])
  await admin.call('disk_create', { query, body: { ...blankDisk('after'), size: GiB } })
  const end_time = ago(-100 * HOUR_MS).toISOString()
  expect(valuesOf(await read({ end_time }))).toEqual([1, GiB, 3])
  await admin.call('disk_delete', { params: { disk: 'after' }, query })
})

describe('pages', () => {
  test('continue after the last time, in either order', async () => {
    await past(Array.from({ length: 5 }, (_, index) => [(5 - index) * 1000, index]))
    for (const order of ['ascending', 'descending'] as const) {
      for (const get of [read, readFleet]) {
        const found: unknown[] = []
        let page = await get({ order, limit: 2 })
        while (page.items.length > 0) {
          expect(page.items.length).toBeLessThanOrEqual(2)
          found.push(...valuesOf(page))
          page = await get({ page_token: page.next_page!, limit: 2 })
        }
        expect(page.next_page).toBeNull()
        expect(found).toEqual(order === 'ascending' ? [0, 1, 2, 3, 4] : [4, 3, 2, 1, 0])
      }
    }
  })

  test('include the start of the range, but not its end', async () => {
    await past([
      [3000, 1],
      [2000, 2],
      [1000, 3],
    ])
    const [first, second, third] = timesOf(await read())
    expect(valuesOf(await read({ start_time: first!, end_time: third! }))).toEqual([1, 2])
    const finer = second!.replace('Z', '001Z')
    expect(valuesOf(await read({ start_time: finer }))).toEqual([3])
    expect(valuesOf(await read({ end_time: finer }))).toEqual([1, 2])
    // The value right before a range, as charts ask for it.
    const before = { end_time: second!, order: 'descending', limit: 1 } as const
    expect(valuesOf(await read(before))).toEqual([1])
  })
})

test('the fleet is the sum of its silos at each moment, including deleted ones', async () => {
  const other = await server.createSilo('gone')
  await past([
    [5000, 10],
    [3000, 20],
    [1000, 0],
  ])
  await past(
    [
      [4000, 1],
      [2000, 2],
    ],
    other,
  )
  const time_deleted = new Date().toISOString()
  await server.db.updateTable('silo').set({ time_deleted }).where('id', '=', other).execute()
  const page = await readFleet()
  expect(valuesOf(page)).toEqual([10, 11, 21, 22, 2])
  const from = await readFleet({ start_time: timesOf(page)[2]!, limit: 2 })
  expect(valuesOf(from)).toEqual([21, 22])
  const back = await readFleet({ end_time: timesOf(page)[4]!, limit: 2, order: 'descending' })
  expect(valuesOf(back)).toEqual([22, 21])
})

describe('housekeeping', () => {
  test('records points after long pauses, and for differing values', async () => {
    const now = new Date()
    await recordAll(server.host.controlPlane.database, now)
    expect(valuesOf(await read({ project: 'web' }))).toEqual([0])
    await recordAll(server.host.controlPlane.database, new Date(now.getTime() + HOUR_MS))
    const end_time = ago(-30 * HOUR_MS).toISOString()
    expect(valuesOf(await read({ end_time }))).toHaveLength(1)
    await recordAll(
      server.host.controlPlane.database,
      new Date(now.getTime() + PROVISIONED_EVERY_MS),
    )
    expect(valuesOf(await read({ end_time }))).toHaveLength(2)
    await past([[HOUR_MS, 7]])
    await recordAll(server.host.controlPlane.database, now)
    expect(valuesOf(await read())).toEqual([7, 0])
  })

  test('removes points of a clock that was ahead, before their time comes', async () => {
    const { database } = server.host.controlPlane
    const now = Date.now()
    await past([
      [-2 * HOUR_MS, 5],
      [-30 * HOUR_MS, 6],
    ])
    const end_time = ago(-40 * HOUR_MS).toISOString()
    await recordAll(database, new Date(now))
    // After a day of difference, the present clock may be the wrong one.
    expect(valuesOf(await read({ end_time }))).toEqual([0, 6])
    await recordAll(database, new Date(now + 10 * HOUR_MS))
    expect(valuesOf(await read({ end_time }))).toEqual([0])
  })

  test('removes old points, but not the value at the beginning of the kept time', async () => {
    const gone = crypto.randomUUID()
    await past([
      [PROVISIONED_KEPT_MS + 2 * HOUR_MS, 1],
      [PROVISIONED_KEPT_MS + HOUR_MS, 2],
      [HOUR_MS, 3],
    ])
    await past([[PROVISIONED_KEPT_MS + HOUR_MS, 4]], gone)
    await purgeProvisioned(server.db, ago(PROVISIONED_KEPT_MS).toISOString(), () => true)
    expect(valuesOf(await read())).toEqual([2, 3])
    expect(valuesOf(await readFleet())).toEqual([2, 3])
  })
})

describe('bad input', () => {
  const ask = async (path: string) => (await admin.send('GET', path)).body as { message: string }
  const path = '/v1/metrics/cpus_provisioned'
  const time = '2026-01-01T00:00:00Z'

  test.each([
    [`${path}?start_time=${time}`, 'missing field `end_time`'],
    [`${path}?end_time=${time}`, 'missing field `start_time`'],
    [`${path}?start_time=now&end_time=${time}`, 'invalid date-time "now"'],
    [`${path}?start_time=${time}&end_time=${time}&order=up`, 'order'],
    [`${path}?start_time=${time}&end_time=${time}&limit=0`, 'limit'],
    ['/v1/metrics/bogus', 'bad parameter in URL path: '],
    ['/v1/system/metrics/bogus', 'bad parameter in URL path: '],
  ])('%s', async (asked, message) => {
    const { status } = await admin.send('GET', asked)
    expect(status).toBe(400)
    expect((await ask(asked)).message).toContain(message)
  })

  test('a page token that the list has not issued', async () => {
    const start = { start_time: time, end_time: time, last_seen: 'whenever' }
    const token = btoa(JSON.stringify({ v: 'v1', page_start: start }))
    const { status } = await admin.send('GET', `${path}?page_token=${token}`)
    expect(status).toBe(400)
  })

  test('times at the limits of the format', async () => {
    await past([[1000, 5]])
    const start_time = '0000-01-01T00:00:00+23:00'
    const end_time = '9999-12-31T23:59:59-23:00'
    expect(valuesOf(await read({ start_time, end_time }))).toEqual([5])
    expect(valuesOf(await read({ start_time: end_time, end_time: start_time }))).toEqual([])
  })
})

test('users see their own silo and projects, and only viewers of the fleet see others', async () => {
  const elsewhere = await server.createSilo('elsewhere')
  await past([[1000, 5]])
  await past([[1000, 9]], elsewhere)
  await past([[1000, 4]], webId)
  const stranger = await server.createUser('stranger', {}, elsewhere)
  const member = await server.createUser('member', { projects: { [webId]: 'viewer' } })
  expect(valuesOf(await read({}, stranger.caller))).toEqual([9])
  expect(valuesOf(await read({}, member.caller))).toEqual([5])
  expect(valuesOf(await read({ project: 'web' }, member.caller))).toEqual([4])
  const status = async (user: { caller: Caller }, path: string, more: object) => {
    const search = new URLSearchParams({ ...always(), ...more })
    return (await user.caller.send('GET', `${path}/cpus_provisioned?${search}`)).status
  }
  expect(await status(stranger, '/v1/metrics', { project: webId })).toBe(404)
  expect(await status(member, '/v1/metrics', { project: 'other' })).toBe(404)
  expect(await status(member, '/v1/system/metrics', {})).toBe(403)
  expect(await status(member, '/v1/system/metrics', { silo: server.siloId })).toBe(403)
  const viewer = await server.createUser('viewer', { fleet: 'viewer' })
  expect(valuesOf(await readFleet({ silo: 'elsewhere' }))).toEqual([9])
  expect(await status(viewer, '/v1/system/metrics', {})).toBe(200)
})

describe('reads of a disk', () => {
  const times = Array.from({ length: 5 }, (_, index) => Date.now() - (10 - index) * 60_000)
  const since = times[0]! - 60_000
  let disk: Wire.Disk
  beforeAll(async () => {
    disk = await admin.call('disk_create', { query, body: blankDisk('read') })
    const fields = {
      disk_id: disk.id,
      project_id: webId,
      silo_id: server.siloId,
      block_size: 512,
      attached_instance_id: disk.id,
    }
    await server.host.controlPlane.engines.timeSeries!.append(
      times.map((timestamp, index) => ({
        name: 'virtual_disk:reads',
        fields,
        timestamp,
        startTime: since,
        datum: index * 10,
      })),
    )
  })
  const readDisk = (more: object = {}, metric: Wire.DiskMetricName = 'read') =>
    admin.call('disk_metrics_list', {
      params: { disk: 'read', metric },
      query: { ...always(), ...query, ...more },
    })

  test('come page by page', async () => {
    const first = await readDisk({ limit: 2 })
    const at = (index: number) => ({
      timestamp: new Date(times[index]!).toISOString(),
      datum: {
        type: 'cumulative_i64',
        datum: { start_time: new Date(since).toISOString(), value: index * 10 },
      },
    })
    expect(first.items).toEqual([at(0), at(1)])
    const second = await readDisk({ page_token: first.next_page })
    expect(second.items).toEqual([at(2), at(3), at(4)])
    const last = await readDisk({ order: 'descending', limit: 1 })
    expect(last.items).toEqual([at(4)])
    const some = { start_time: at(1).timestamp, end_time: at(3).timestamp }
    expect((await readDisk(some)).items).toEqual([at(1), at(2)])
  })

  test('are empty without measurements, and require an existing metric', async () => {
    for (const metric of ['write', 'activated'] as const) {
      expect(await readDisk({}, metric)).toEqual({ items: [], next_page: null })
    }
    const { status, message } = await admin.refused(
      'GET',
      `/v1/disks/${disk.id}/metrics/speed?start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z`,
    )
    expect(status).toBe(400)
    expect(message).toMatch(/^bad parameter in URL path: /)
  })
})
