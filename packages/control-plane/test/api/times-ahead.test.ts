/** Times that were stored while the clock was ahead, once it is right again. */
import { TOTP_PERIOD_S } from '@steading/api/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  CLOCK_MARK,
  CONFIRMING_LOOKS,
  createClockMark,
  DOUBTING_LOOKS,
} from '../../src/kernel/clock-mark.ts'
import { BOOTSTRAPPED, readSetting, writeSetting } from '../../src/kernel/db/setting.ts'
import { correctTimesAhead, timeColumns } from '../../src/kernel/db/times-ahead.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { openMigrated } from '../support/migrated.ts'
import { scheduleBody } from '../support/schedules.ts'
import { detachedDisk } from '../support/things.ts'

const DAY_MS = 86_400_000
const now = new Date('2027-03-01T12:00:00.000Z')
const ahead = new Date(now.getTime() + 10 * DAY_MS)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** The database limits leases by its clock; see `leaseIsOver`. */
const isLease = (column: string) => column === 'lease_until'
/** Columns that only sound like times. */
const noTimes = new Set(['notification.times', 'notification_subscription.sent_until'])
const sounds = /time|_at$|until|expires|period|evaluated|_seen/

describe('every column with a time', () => {
  test('is corrected, or its table says why it may be ahead of the clock', async () => {
    const database = await openMigrated()
    onTestFinished(() => database.close())
    const { db } = database
    await sql`pragma foreign_keys = off`.execute(db)
    const tables = (await db.introspection.getTables()).filter(
      ({ name }) => !name.startsWith('simulated_'),
    )
    const healed: { table: string; column: string; wanted: unknown }[] = []
    for (const { name: table, columns } of tables) {
      const known = columns.map(({ name, dataType }) => ({
        name,
        isText: dataType.toLowerCase() === 'text',
      }))
      const times = timeColumns(table, known)
      const undeclared = known.filter(
        ({ name }) =>
          sounds.test(name) &&
          !/_time_zone$|^time_zone$/.test(name) &&
          !isLease(name) &&
          !noTimes.has(`${table}.${name}`) &&
          !times.some((time) => time.name === name && (time.isText || time.declared)),
      )
      expect(undeclared.map(({ name }) => `${table}.${name}`)).toEqual([])
      if (times.length > 0) await db.deleteFrom(table as never).execute()
      const row: Record<string, unknown> = {}
      for (const { name, dataType, isNullable, hasDefaultValue } of columns) {
        if (!isNullable && !hasDefaultValue) row[name] = dataType.toLowerCase() === 'text' ? '' : 0
      }
      for (const { name, declared, isText } of times) {
        if (declared && 'mayBeAhead' in declared) continue
        const number = declared && 'numberOf' in declared ? declared.numberOf : undefined
        const ends = declared && 'endsAfter' in declared
        if (!number && !isText) continue
        row[name] = number
          ? number(ahead)
          : new Date(ahead.getTime() + (ends ? DAY_MS : 0)).toISOString()
        healed.push({
          table,
          column: name,
          wanted: number
            ? number(now)
            : new Date(now.getTime() + (ends ? DAY_MS : 0)).toISOString(),
        })
      }
      if (healed.some((one) => one.table === table))
        await db
          .insertInto(table as never)
          .values(row as never)
          .execute()
    }
    const corrected = await correctTimesAhead(database, now)
    expect(corrected.size).toBe(new Set(healed.map(({ table }) => table)).size)
    for (const { table, column, wanted } of healed) {
      const { rows } = await sql<Record<string, unknown>>`
        select ${sql.ref(column)} as value from ${sql.table(table)}`.execute(db)
      expect([table, column, rows[0]!['value']]).toEqual([table, column, wanted])
    }
    expect(await correctTimesAhead(database, now)).toEqual(new Map())
  })
})

test('one-time passwords, schedules and tokens work again, and the log says so', async () => {
  const { admin, db, host } = server
  const query = { project: 'work' }
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const disk = await detachedDisk(admin, query, 'disk')
  await admin.call('schedule_create', {
    query,
    body: scheduleBody({ name: 'nightly', disks: [disk.name] }),
  })
  const body = { name: 'short', access: 'full' as const, ttl_seconds: 3600 }
  const token = await admin.call('current_user_access_token_create', { body })
  const { id: user_id } = await admin.call('current_user_view')
  const present = Date.now()
  const later = (ms: number) => new Date(present + 10 * DAY_MS + ms).toISOString()
  // As if all of it had been written by a clock that was ten days ahead.
  await db
    .updateTable('schedule')
    .set({ time_last: later(0), time_next: later(DAY_MS), reconcile_at: later(DAY_MS) })
    .execute()
  await db
    .updateTable('access_token')
    .set({ time_created: later(0), time_expires: later(3_600_000) })
    .where('id', '=', token.id)
    .execute()
  const last_period = Math.floor((present + 10 * DAY_MS) / 1000 / TOTP_PERIOD_S)
  await db
    .insertInto('totp')
    .values({ user_id, secret: 'none', last_period, time_created: later(0) })
    .execute()
  await writeSetting(db, CLOCK_MARK, later(0))
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  // A clock that has just been set may be wrong itself.
  for (let look = 1; look < CONFIRMING_LOOKS; look++) await host.controlPlane.lookAtClock()
  const before = await db.selectFrom('totp').selectAll().executeTakeFirstOrThrow()
  expect(before).toMatchObject({ last_period, time_created: later(0) })
  await host.controlPlane.lookAtClock()
  await vi.waitFor(async () => {
    const row = await db.selectFrom('schedule').selectAll().executeTakeFirstOrThrow()
    expect(Date.parse(row.time_last!)).toBeLessThan(present + DAY_MS)
    expect(Date.parse(row.time_next!)).toBeLessThanOrEqual(present + DAY_MS + 60_000)
    expect(row.reconcile_at).toBe(row.time_next)
  }, 120_000)
  const totp = await db.selectFrom('totp').selectAll().executeTakeFirstOrThrow()
  expect(Number(totp.last_period)).toBeLessThan(last_period - 1000)
  const { items } = await admin.call('current_user_access_token_details_list')
  const { time_created, time_expires } = items.find(({ id }) => id === token.id)!
  expect(Date.parse(time_expires!) - Date.parse(time_created)).toBe(3_600_000)
  expect(Date.parse(time_created)).toBeLessThan(present + DAY_MS)
  expect(Date.parse((await readSetting(db, CLOCK_MARK))!)).toBeLessThan(present + DAY_MS)
  expect(log.mock.calls.flat().join()).toContain('the clock showed')
})

test('a database without a mark is corrected late by a clock before its first start', async () => {
  const database = await openMigrated()
  onTestFinished(() => database.close())
  const { db } = database
  const time = ahead.toISOString()
  await writeSetting(db, BOOTSTRAPPED, time)
  await db
    .insertInto('endless_step')
    .values({ kind: 'disk', id: 'one', fence: 1, server: 'here', time_began: time })
    .execute()
  const parts = { clock: () => now, log: () => {}, corrected: () => {} }
  const { look } = createClockMark({ database, ...parts })
  for (let count = 1; count < DOUBTING_LOOKS; count++) await look()
  const before = await db.selectFrom('endless_step').selectAll().executeTakeFirstOrThrow()
  expect(before.time_began).toBe(time)
  expect(await readSetting(db, CLOCK_MARK)).toBeUndefined()
  await look()
  const after = await db.selectFrom('endless_step').selectAll().executeTakeFirstOrThrow()
  expect(after.time_began).toBe(now.toISOString())
  expect(await readSetting(db, CLOCK_MARK)).toBe(now.toISOString())
})
