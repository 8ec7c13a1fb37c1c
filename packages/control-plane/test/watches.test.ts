/** Watches of this process's writes. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { clearOnChange, createCallerCache } from '../src/resources/identity/auth/authenticate.ts'
import { openMigrated } from './support/migrated.ts'

let database: OpenDatabase
let told: number
beforeEach(async () => {
  database = await openMigrated()
  told = 0
})
afterEach(() => database.close())

const setting = (value: string) => database.db.insertInto('setting').values({ key: value, value })

test('reports a statement that writes a watched column', async () => {
  database.watch({ setting: ['value'] }, () => told++)
  await setting('one').execute()
  expect(told).toBe(1)
  await database.db.updateTable('setting').set({ value: 'two' }).execute()
  expect(told).toBe(2)
  await sql`update setting set value = 'three'`.execute(database.db)
  expect(told).toBe(3)
  await sql`with its as (select 'four' as value) update setting set value = (select value from its)`.execute(
    database.db,
  )
  expect(told).toBe(4)
  await database.db.deleteFrom('setting').execute()
  expect(told).toBe(5)
})

test('does not report other statements', async () => {
  database.watch({ setting: ['value'] }, () => told++)
  await database.db.selectFrom('setting').selectAll().execute()
  await database.db.updateTable('setting').set({ key: 'two' }).where('key', '=', 'one').execute()
  await database.db.updateTable('silo').set({ name: 'two' }).execute()
  await sql`select value from setting`.execute(database.db)
  await sql`with its as (select value, ${'delete'} as time_deleted from setting)
    select replace(value, 'a', 'b') from its`.execute(database.db)
  await database.db
    .with('its', (db) => db.selectFrom('setting').selectAll())
    .selectFrom('its')
    .selectAll()
    .execute()
  await expect(sql`insert into setting values (null, null)`.execute(database.db)).rejects.toThrow(
    'constraint',
  )
  expect(told).toBe(0)
})

test('reports a transaction again at its end, because others saw the old rows until then', async () => {
  database.watch({ setting: ['value'] }, () => told++)
  await database.transaction(async (tx) => {
    await tx.insertInto('setting').values({ key: 'one', value: 'one' }).execute()
    expect(told).toBe(1)
    await tx.selectFrom('setting').selectAll().execute()
  })
  expect(told).toBe(2)
  await database.concurrently(async (tx) => {
    await tx.updateTable('silo').set({ used_storage: 1 }).execute()
  })
  expect(told).toBe(2)
})

test('reads a caller again after any write that affects their rights, and only then', async () => {
  const { db } = database
  const callers = createCallerCache(() => 0)
  clearOnChange(database, callers)
  const known = async (write: () => Promise<unknown>): Promise<boolean> => {
    await callers.fill('token', async () => ({ caller: {} as never, trustMs: 1_000 }))
    await write()
    return callers.get('token') !== undefined
  }
  const now = new Date().toISOString()
  const changes = [
    () => db.deleteFrom('console_session').execute(),
    () => db.deleteFrom('access_token').execute(),
    () => db.updateTable('silo_user').set({ time_deleted: now }).execute(),
    () => db.updateTable('silo').set({ time_deleted: now }).execute(),
    () => db.updateTable('silo').set({ mapped_fleet_roles: '{}' }).execute(),
    () => db.deleteFrom('silo_group_membership').execute(),
    () => db.deleteFrom('role_assignment').execute(),
    () => db.updateTable('role_assignment').set({ role_name: 'viewer' }).execute(),
  ]
  for (const change of changes) expect(await known(change)).toBe(false)
  const others = [
    () => db.updateTable('silo').set({ used_storage: 5 }).execute(),
    () => db.updateTable('console_session').set({ time_last_used: now }).execute(),
    () => db.deleteFrom('disk').execute(),
    () => setting('one').execute(),
  ]
  for (const other of others) expect(await known(other)).toBe(true)
})
