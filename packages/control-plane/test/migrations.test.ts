/** The effect of upgrades on existing rows. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, Kysely as Open, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { simulatedEngine } from '@steading/simulator'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { migrations } from '../src/migrations/index.ts'
import { openDatabase } from '../src/open-database.ts'
import { up as foundation } from '../src/migrations/2026-11-20-foundation.ts'
import { up as affinity } from '../src/migrations/2026-11-20-affinity.ts'
import { up as storage } from '../src/migrations/2026-11-20-storage.ts'
import { up as jobs } from '../src/migrations/2026-11-20-jobs.ts'
import { up as leases } from '../src/migrations/2026-11-22-leases.ts'
import { up as nameKeys } from '../src/migrations/2026-11-22-name-keys.ts'

test('simulated machines live on, with what their consoles have shown', async () => {
  const db: Kysely<any> = new Open<any>({ dialect: openSqlite(':memory:').kysely })
  onTestFinished(() => db.destroy())
  await foundation(db, 'sqlite')
  await storage(db, 'sqlite')
  await jobs(db, 'sqlite')
  const spec = {
    name: 'one',
    hostname: 'one',
    ncpus: 1,
    memory: 1024,
    sledSerial: 'BRM-0001',
    disks: [{ name: 'boot', size: 512, readOnly: false, boot: true }],
    interfaces: [{ name: 'net0', mac: 'A8:40:25:F0:00:01', ips: ['172.30.0.5'] }],
  }
  const state = JSON.stringify({ spec, phase: 'running', since: 7, reboots: 2, printed: 9 })
  await db
    .insertInto('simulated_vm')
    .values([
      { id: 'machine', state },
      { id: 'orphan', state },
    ])
    .execute()
  const chunks = ['first', 'second!'].map((text) => btoa(text))
  await db
    .insertInto('simulated_console')
    .values([
      { vm_id: 'machine', byte_offset: 0, data: chunks[0] },
      { vm_id: 'machine', byte_offset: 5, data: chunks[1] },
    ])
    .execute()
  const text = ''
  await db
    .insertInto('instance')
    .values({
      id: 'instance',
      name: 'one',
      description: text,
      time_created: text,
      time_modified: text,
      project_id: text,
      ncpus: 1,
      memory: 1024,
      hostname: 'one',
      user_data: text,
      run_state: 'running',
      time_run_state_updated: text,
      enable_jumbo_frames: 0,
      start_wanted: 0,
      vm_id: 'machine',
      sled_id: 'sled',
      reboot_count: 2,
      generation: 1,
      reconcile_at: '2026-01-01T00:00:00.000Z',
    })
    .execute()
  await db
    .insertInto('simulated_volume')
    .values({ id: 'volume', size: 512, is_snapshot: 0, has_bytes: 1 })
    .execute()

  await leases(db, 'sqlite')

  const machines = await db.selectFrom('simulated_machine').selectAll().execute()
  expect(machines.map((machine) => ({ ...machine, spec: JSON.parse(machine.spec) }))).toEqual([
    {
      id: 'machine',
      sled_id: 'sled',
      phase: 'running',
      since: 7,
      reboots: 2,
      version: 0,
      spec: expect.objectContaining({
        sled: { id: 'sled', serial: 'BRM-0001' },
        volumes: [expect.objectContaining({ name: 'boot', slot: 0, boot: true })],
        interfaces: [expect.objectContaining({ addresses: [{ address: '172.30.0.5' }] })],
      }),
    },
  ])
  const common = { machine_id: 'machine', boot: 2 }
  expect(await db.selectFrom('simulated_output').selectAll().execute()).toEqual([
    { ...common, byte_offset: 0, byte_length: 5, data: chunks[0] },
    { ...common, byte_offset: 5, byte_length: 7, data: chunks[1] },
  ])
  expect(
    await db.selectFrom('instance').select(['reconcile_at', 'lease_until', 'fence']).execute(),
  ).toEqual([{ reconcile_at: '2026-01-01T00:00:00.000Z', lease_until: null, fence: 0 }])
  expect(await db.selectFrom('volume').select('id').execute()).toEqual([{ id: 'volume' }])
})

test('names get the keys by which they are sorted', async () => {
  const db: Kysely<any> = new Open<any>({ dialect: openSqlite(':memory:').kysely })
  onTestFinished(() => db.destroy())
  await foundation(db, 'sqlite')
  await affinity(db, 'sqlite')
  await storage(db, 'sqlite')
  const common = { description: '', time_created: '', time_modified: '', silo_id: 'silo' }
  const names = Array.from({ length: 2500 }, (_, index) => `p${index}`)
  for (let start = 0; start < names.length; start += 500) {
    const some = names.slice(start, start + 500)
    await db
      .insertInto('project')
      .values(some.map((name) => ({ ...common, id: name, name })))
      .execute()
  }
  await db
    .insertInto('project')
    .values({ ...common, id: 'plain', name: 'plain' })
    .execute()

  await nameKeys(db, 'sqlite')

  const rows = await db.selectFrom('project').select('name').orderBy('name_key').execute()
  expect(rows.map(({ name }) => name)).toEqual([...names, 'plain'])
})

const engine = simulatedEngine(memoryBlockStore())
const everyMigration = { ...migrations, ...engine.migrations }
const FEWER_INDEXES = '0096-fewer-indexes'

/** The newest migration of a version that is in use. A new version moves it on. */
const NEWEST_IN_USE = '0123-repeated-trust-roots'
/** The number of migrations in that version. */
const IN_USE = 81

test('new migrations come after those of released versions', () => {
  // A database refuses a migration that sorts before those it has applied.
  const names = Object.keys(everyMigration).sort()
  expect(names.indexOf(NEWEST_IN_USE)).toBe(IN_USE - 1)
  for (const name of names.slice(IN_USE)) expect(name).toMatch(/^20\d\d-\d\d-\d\d-/)
})

describe.each([
  ['the control plane', '../src/migrations', migrations],
  ['the simulated rack', '../../simulator/src/migrations', engine.migrations],
])('the list of migrations of %s', (_, folder, list) => {
  const files = readdirSync(join(import.meta.dirname, folder))
    .filter((file) => /^\d/.test(file))
    .map((file) => file.replace('.ts', ''))
  const dateOf = (file: string) => file.slice(0, '2026-11-20-'.length)
  /** Migrations up to 0.2.0 are recorded by a number in place of the date of the file. */
  const fileOf = (name: string) =>
    files.find((file) => file === name || file.replace(dateOf(file), '') === name.slice(5))

  test('is in the order in which they run', () => {
    const names = Object.keys(list)
    expect(names).toEqual(names.toSorted())
    const dates = names.map((name) => dateOf(fileOf(name) ?? ''))
    expect(dates).toEqual(dates.toSorted())
  })

  test('has each file of its folder once, by its name', () => {
    const named = Object.keys(list).map(fileOf)
    expect(named.toSorted()).toEqual(files.toSorted())
    for (const file of files) expect(file).toMatch(/^\d{4}-\d\d-\d\d-[a-z-]+$/)
  })
})

test('free addresses stay free', async () => {
  const db: Kysely<any> = new Open<any>({ dialect: openSqlite(':memory:').kysely })
  onTestFinished(() => db.destroy())
  const { [FEWER_INDEXES]: fewerIndexes, ...others } = everyMigration
  for (const [name, up] of Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (name < FEWER_INDEXES) await up(db, 'sqlite')
  }
  const address = { space_id: 'space', first_key: 'a', last_key: 'f' }
  const block = { ip_pool_id: 'space', ip_key: 'g', first_port: 16384 }
  await db.insertInto('address_space').values({ id: 'space' }).execute()
  await db.insertInto('free_address').values(address).execute()
  await db.insertInto('free_snat').values(block).execute()

  await fewerIndexes!(db, 'sqlite')

  expect(await db.selectFrom('free_address').selectAll().execute()).toEqual([address])
  expect(await db.selectFrom('free_snat').selectAll().execute()).toEqual([block])
  await db.deleteFrom('address_space').execute()
  expect(await db.selectFrom('free_address').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('free_snat').selectAll().execute()).toEqual([])
})

test('no index repeats another one', async () => {
  const { db, close } = await openDatabase(openSqlite(':memory:'), engine)
  onTestFinished(close)
  const { rows } = await sql<{ table: string; name: string; unique: number; text: string }>`
    select list.name, tables.name as "table", list."unique", coalesce(made.sql, '') as text
    from sqlite_schema as tables, pragma_index_list(tables.name) as list
    left join sqlite_schema as made on made.name = list.name
    where tables.type = 'table'`.execute(db)
  const indexes: { name: string; table: string; unique: number; columns: string[]; of: string }[] =
    []
  for (const { text, ...index } of rows) {
    const { rows: columns } = await sql<{ name: string | null; required: number }>`
      select info.name, coalesce("notnull", 0) as required from pragma_index_info(${index.name}) as info
      left join pragma_table_info(${index.table}) as its on its.name = info.name
      order by seqno`.execute(db)
    // A condition that all rows meet is none.
    const of = columns
      .filter(({ required }) => required)
      .reduce(
        (where, { name }) => where.replace(`${name} is not null`, ''),
        / where (.*)/is.exec(text)?.[1] ?? '',
      )
    indexes.push({ ...index, columns: columns.map(({ name }) => name ?? text), of })
  }
  expect(indexes.length).toBeGreaterThan(500)
  const repeated = indexes.filter(
    (one) =>
      !one.unique &&
      indexes.some(
        (other) =>
          other !== one &&
          other.table === one.table &&
          other.of === one.of &&
          one.columns.every((column, place) => column === other.columns[place]),
      ),
  )
  expect(repeated.map(({ name }) => name)).toEqual([])
})
