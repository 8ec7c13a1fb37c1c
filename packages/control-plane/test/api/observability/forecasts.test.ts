/** Forecasts of when the quotas of silos and the addresses of pools run out. */
import type { Wire } from '@steading/api'
import { FORECAST_LEAST_DAYS, GiB, USE_KEPT_DAYS } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteUse } from '../../../src/resources/observability/forecasts/history.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { blankDisk } from '../../support/things.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer
let siloId: string
beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  const { id } = await server.db.selectFrom('silo').select('id').executeTakeFirstOrThrow()
  siloId = id
})
afterAll(() => server.close())

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const nameOf = (day: Date) => day.toISOString().slice(0, 10)

/** Creates a history of use. */
async function past(thing_id: string, resource: 'memory' | 'addresses', used: number[]) {
  await server.db.deleteFrom('use_history').where('thing_id', '=', thing_id).execute()
  const rows = used.map((value, index) => ({
    thing_id,
    resource,
    day: nameOf(daysAgo(used.length - index)),
    used: value,
  }))
  if (rows.length > 0) await server.db.insertInto('use_history').values(rows).execute()
}

const of = ({ forecasts }: Wire.UseForecasts, resource: Wire.ForecastResource) =>
  forecasts.find((one) => one.resource === resource)!

describe('use', () => {
  test('is recorded, with the maximum of each day', async () => {
    const { admin, db } = server
    const noted = async () =>
      Number(
        (
          await db
            .selectFrom('use_history')
            .select('used')
            .where('thing_id', '=', siloId)
            .where('resource', '=', 'storage')
            .where('day', '=', nameOf(new Date()))
            .executeTakeFirstOrThrow()
        ).used,
      )
    await admin.call('disk_create', { query: { project: 'web' }, body: blankDisk('one') })
    await noteUse(db, new Date())
    const most = await noted()
    expect(most).toBeGreaterThan(0)
    await admin.call('disk_delete', { params: { disk: 'one' }, query: { project: 'web' } })
    await noteUse(db, new Date())
    expect(await noted()).toBe(most)
    const { history } = of(await admin.call('utilization_forecast'), 'storage')
    expect(history.at(-1)).toEqual({
      time_begun: `${nameOf(new Date())}T00:00:00.000Z`,
      used: most,
    })
  })

  test('is not taken from a clock that was ahead', async () => {
    const { db } = server
    const noon = (days: number) => new Date(`${nameOf(daysAgo(-days))}T12:00:00Z`)
    const days = async () => {
      const rows = await db
        .selectFrom('use_history')
        .select('day')
        .where('thing_id', '=', siloId)
        .where('resource', '=', 'storage')
        .where('day', '>', nameOf(noon(0)))
        .orderBy('day')
        .execute()
      return rows.map(({ day }) => day)
    }
    await noteUse(db, noon(1))
    await noteUse(db, noon(3))
    // Records further ahead are removed when their day comes: the present clock may be the wrong
    // one.
    await noteUse(db, noon(0))
    expect(await days()).toEqual([nameOf(noon(3))])
    // Another server may be a little ahead around midnight.
    await noteUse(db, new Date(`${nameOf(noon(2))}T23:59:30Z`))
    expect(await days()).toEqual([nameOf(noon(2)), nameOf(noon(3))])
    await db
      .deleteFrom('use_history')
      .where('day', '>', nameOf(noon(0)))
      .execute()
  })

  test('is removed after a month', async () => {
    const { db } = server
    await past(
      siloId,
      'memory',
      Array.from({ length: USE_KEPT_DAYS + 5 }, () => 1),
    )
    await noteUse(db, new Date())
    const { history, days } = of(await server.admin.call('utilization_forecast'), 'memory')
    expect(history).toHaveLength(USE_KEPT_DAYS + 1)
    expect(days).toBe(USE_KEPT_DAYS)
  })
})

describe('a quota', () => {
  const quota = (memory: number) =>
    server.db.updateTable('silo').set({ quota_memory: memory, used_memory: 0 }).execute()

  test('with growing use will run out, as the silo and operators see', async () => {
    const { admin, db } = server
    await quota(200 * GiB)
    await past(
      siloId,
      'memory',
      Array.from({ length: 20 }, (_, index) => index * 5 * GiB),
    )
    await db
      .updateTable('silo')
      .set({ used_memory: 100 * GiB })
      .execute()
    const own = await admin.call('utilization_forecast')
    const memory = of(own, 'memory')
    expect(memory).toMatchObject({ outlook: 'growing', used: 100 * GiB, capacity: 200 * GiB })
    const inDays = (time: string) => (Date.parse(time) - Date.parse(nameOf(new Date()))) / DAY_MS
    for (const time of Object.values(memory.runs_out!)) expect(inDays(time!)).toBeCloseTo(20, 3)
    expect(of(own, 'cpus').outlook).toBe('too_little_history')
    expect(await admin.call('silo_forecast', { params: { silo: 'main' } })).toEqual(own)
    const { items } = await admin.call('system_forecast')
    expect(items).toEqual([{ kind: 'silo', id: siloId, name: 'main', forecast: memory }])
  })

  test('that is exhausted, or zero', async () => {
    const { admin } = server
    await past(siloId, 'memory', [])
    const outlook = async () => of(await admin.call('utilization_forecast'), 'memory').outlook
    await quota(0)
    expect(await outlook()).toBe('full')
    expect((await admin.call('system_forecast')).items).toEqual([])
    await quota(GiB)
    expect(await outlook()).toBe('too_little_history')
    await past(
      siloId,
      'memory',
      Array.from({ length: FORECAST_LEAST_DAYS }, () => 0),
    )
    expect(await outlook()).toBe('not_growing')
  })
})

test.each([
  ['v4', '203.0.113.0', '203.0.113.99', 100],
  ['v6', '2001:db8::', '2001:db8::ffff:ffff:ffff:ffff', 2 ** 64],
] as const)('addresses of a pool of %s run out', async (ip_version, first, last, capacity) => {
  const { admin } = server
  const params = { pool: `of-${ip_version}` }
  const { id } = await admin.call('system_ip_pool_create', {
    body: { name: params.pool, description: '', ip_version },
  })
  await admin.call('system_ip_pool_range_add', { params, body: { first, last } })
  await past(
    id,
    'addresses',
    Array.from({ length: 10 }, (_, index) => (index * capacity) / 20),
  )
  await server.db.updateTable('ip_pool').set({ allocated: 0 }).where('id', '=', id).execute()
  const { forecasts } = await admin.call('system_ip_pool_forecast', { params })
  expect(forecasts).toEqual([
    expect.objectContaining({ resource: 'addresses', used: 0, capacity, outlook: 'growing' }),
  ])
  const { items } = await admin.call('system_forecast')
  expect(items.map(({ name }) => name)).toContain(params.pool)
})

test('addresses of a subnet pool have a forecast', async () => {
  const { admin } = server
  const params = { pool: 'subnets' }
  await admin.call('system_subnet_pool_create', {
    body: { name: params.pool, description: '', ip_version: 'v4' },
  })
  await admin.call('system_subnet_pool_member_add', {
    params,
    body: { subnet: '198.51.100.0/24', min_prefix_length: 26, max_prefix_length: 30 },
  })
  const { forecasts } = await admin.call('system_subnet_pool_forecast', { params })
  expect(forecasts).toMatchObject([
    { resource: 'addresses', used: 0, capacity: 256, outlook: 'too_little_history' },
  ])
})
