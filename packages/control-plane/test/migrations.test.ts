/** The list of migrations, the baseline that stands for those of 0.2.0, and what they leave. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { simulatedEngine } from '@steading/simulator'
import { appliedOf, BASELINE, recordBaseline } from '../src/kernel/db/baseline.ts'
import { memoryBlockStore } from '../src/engines/volumes/memory.ts'
import { migrationsOf } from '../src/kernel/engine.ts'
import { migrations } from '../src/migrations/index.ts'
import { openDatabase } from '../src/open-database.ts'

const engine = simulatedEngine(memoryBlockStore())
describe('the list of migrations of the control plane', () => {
  const names = Object.keys(migrations)

  test('begins with the baseline, and is in the order in which they run', () => {
    expect(names[0]).toBe(BASELINE)
    expect(names).toEqual(names.toSorted())
  })

  test('has each file of its folder once, by its name', () => {
    const files = readdirSync(join(import.meta.dirname, '../src/migrations'))
      .filter((file) => /^\d/.test(file))
      .map((file) => file.replace('.ts', ''))
    expect(names.slice(1)).toEqual(files.toSorted())
    for (const file of files) expect(file).toMatch(/^\d{4}-\d\d-\d\d-[a-z-]+$/)
  })
})

test('the list of migrations of the simulated rack has each file of its folder', () => {
  const files = readdirSync(join(import.meta.dirname, '../../simulator/src/migrations'))
  expect(migrationsOf(engine).flatMap(Object.keys)).toHaveLength(
    files.filter((file) => /^\d/.test(file)).length,
  )
})

describe('the baseline', () => {
  const known = { [BASELINE]: 1, '0014-simulated-boots': 1, '2026-11-26-later': 1 }
  const whole = ['0001-foundation', '0014-simulated-boots', '0123-repeated-trust-roots']

  test('stands for all changes of 0.2.0, and leaves those of the engine', () => {
    expect(appliedOf([...whole, '2026-11-26-later'], known)).toEqual({
      names: [BASELINE, '0014-simulated-boots', '2026-11-26-later'],
      replaced: ['0001-foundation', '0123-repeated-trust-roots'],
      isTooOld: false,
    })
  })

  test('stands for no part of them', () => {
    expect(appliedOf(whole.slice(0, 2), known).isTooOld).toBe(true)
  })

  test('is recorded once, also by two servers at a time', async () => {
    const { db, close } = await openDatabase(openSqlite(':memory:'), engine)
    onTestFinished(close)
    const recorded = async () => {
      const { rows } = await sql<{ name: string }>`
        select name from kysely_migration order by timestamp, name`.execute(db)
      return rows.map(({ name }) => name)
    }
    const before = await recorded()
    await sql`update kysely_migration set name = ${whole[0]} where name = ${BASELINE}`.execute(db)
    await Promise.all([recordBaseline(db, [whole[0]!]), recordBaseline(db, [whole[0]!])])
    expect(await recorded()).toEqual(before)
  })

  test('does not hide a change that this version lacks', () => {
    const { names, replaced } = appliedOf([BASELINE, '0200-unknown', '9999-later'], known)
    expect(names).toEqual([BASELINE, '0200-unknown', '9999-later'])
    expect(replaced).toEqual([])
  })
})

/** An empty database as it was before a migration. */
async function databaseBefore(name: string): Promise<Kysely<unknown>> {
  const db = new Kysely<unknown>({ dialect: openSqlite(':memory:').kysely })
  onTestFinished(() => db.destroy())
  for (const [earlier, up] of Object.entries(migrations)) {
    if (earlier === name) break
    await up(db, 'sqlite')
  }
  return db
}

test('kept resources leave the quotas and the use of physical disks, and policies stay', async () => {
  const name = '2026-12-14-kept-storage'
  const db = await databaseBefore(name)
  const insert = async (table: string, values: object) => {
    const columns = Object.keys(values).map((column) => sql.ref(column))
    await sql`insert into ${sql.table(table)} (${sql.join(columns)})
      values (${sql.join(Object.values(values))})`.execute(db)
  }
  const times = { time_created: '2026-12-13T00:00:00Z', time_modified: '2026-12-13T00:00:00Z' }
  const identity = (id: string) => ({ id, name: id, description: '', name_key: id, ...times })
  const [none, ...kept] = [0, 24].map((hours) => ({
    ...identity(`silo-${hours}`),
    restorable_hours: hours,
    identity_mode: 'local_only',
    discoverable: 1,
    mapped_fleet_roles: '{}',
    quota_cpus: 9,
    quota_memory: 9,
    quota_storage: 9,
    used_cpus: 1,
    used_memory: 2,
    used_storage: hours === 0 ? 4 : 7,
  }))
  for (const silo of [none, ...kept]) await insert('silo', silo!)
  for (const [id, silo_id, used_storage] of [
    ['p', 'silo-24', 6],
    ['q', 'silo-24', 1],
    ['r', 'silo-0', 4],
  ] as const) {
    await insert('project', { ...identity(id), silo_id, used_storage })
  }
  const released = { fence: 0, step_failures: 0, time_expires: '2026-12-20T00:00:00Z' }
  const author = { author_id: 'u', author_name: 'mem', inside: '', silo_id: 'silo-24' }
  for (const [id, size] of [
    ['gone', 3],
    ['snap', 2],
  ] as const) {
    const kind = id === 'gone' ? 'disk' : 'snapshot'
    await insert('deleted_resource', {
      ...identity(id),
      ...released,
      ...author,
      project_id: 'p',
      kind,
      size,
    })
  }
  for (const [id, time_deleted] of [
    ['gone', '2026-12-13T00:00:00Z'],
    ['here', null],
  ] as const) {
    const state = time_deleted ? 'destroyed' : 'detached'
    await insert('disk', {
      ...identity(id),
      time_deleted,
      state,
      project_id: 'p',
      size: 3,
      block_size: 512,
      disk_type: 'distributed',
      read_only: 0,
      importing: 0,
      has_volume: 1,
      generation: 1,
    })
    const replica = { disk_id: id, size: 3, state: 'ready' }
    await insert('disk_replica', { ...replica, physical_disk_id: 'one' })
    if (!time_deleted) await insert('disk_replica', { ...replica, physical_disk_id: 'two' })
  }
  for (const [id, used] of [
    ['one', 6],
    ['two', 3],
  ] as const) {
    await insert('physical_disk', {
      id,
      name: id,
      name_key: id,
      ...times,
      fleet_id: 'f',
      sled_id: 's',
      vendor: 'v',
      model: 'm',
      form_factor: 'u2',
      slot: 0,
      size: 9,
      used,
      policy: 'in_service',
      state: 'active',
      healthy: 1,
    })
  }
  await migrations[name]!(db, 'sqlite')
  const rows = async (query: string) => (await sql.raw(query).execute(db)).rows
  expect(await rows('select name, used_storage, restorable_hours from silo order by id')).toEqual([
    { name: 'silo-0', used_storage: 4, restorable_hours: 0 },
    { name: 'silo-24', used_storage: 2, restorable_hours: 24 },
  ])
  expect(await rows('select name, used_storage from project order by id')).toEqual([
    { name: 'p', used_storage: 1 },
    { name: 'q', used_storage: 1 },
    { name: 'r', used_storage: 4 },
  ])
  expect(await rows('select name, used, reclaimable from physical_disk order by id')).toEqual([
    { name: 'one', used: 3, reclaimable: 3 },
    { name: 'two', used: 3, reclaimable: 0 },
  ])
})

test('the items of a run of a schedule stay when they become rows of job items', async () => {
  const name = '2026-12-13-run-items'
  const db = await databaseBefore(name)
  await sql`
    insert into schedule_run_item (
      run_id, position, step, thing_kind, thing_id, thing_name, instance_id, instance_name, makes,
      made_id, state, reason, time_started, time_finished)
    values
      ('run', 0, 'snapshot', 'disk', 'd', 'data', 'i', 'box', 'data-1', 's', 'succeeded', null,
        '2026-12-01T02:00:00.000Z', '2026-12-01T02:00:01.000Z'),
      ('run', 1, 'delete', 'snapshot', 'o', 'old', null, null, null, null, 'waiting', null, null,
        null)`.execute(db)
  await migrations[name]!(db, 'sqlite')
  const item = { job_id: 'run', needs_position: null, reason: null }
  const { rows } = await sql`select * from job_item order by position`.execute(db)
  expect(rows).toEqual([
    {
      ...item,
      position: 0,
      stage: 0,
      step: 'snapshot',
      thing_kind: 'disk',
      thing_id: 'd',
      thing_name: 'data',
      thing_inside: 'box',
      makes: 'data-1',
      made_id: 's',
      state: 'succeeded',
      time_started: '2026-12-01T02:00:00.000Z',
      time_finished: '2026-12-01T02:00:01.000Z',
    },
    {
      ...item,
      position: 1,
      stage: 1,
      step: 'delete',
      thing_kind: 'snapshot',
      thing_id: 'o',
      thing_name: 'old',
      thing_inside: '',
      makes: null,
      made_id: null,
      state: 'waiting',
      time_started: null,
      time_finished: null,
    },
  ])
})

test('the clocks of hosts in service are looked at from now on', async () => {
  const name = '2026-12-22-host-clocks'
  const db = await databaseBefore(name)
  const time = '2026-12-20T00:00:00.000Z'
  for (const [id, state] of [
    ['here', 'in_service'],
    ['refused', 'refused'],
  ]) {
    await sql`
      insert into host (id, fleet_id, name, name_key, address, state, check_due, time_created,
        time_modified)
      values (${id}, 'f', ${id}, ${id}, ${id}, ${state}, 0, ${time}, ${time})`.execute(db)
  }
  await migrations[name]!(db, 'sqlite')
  const { rows } = await sql`select id, reconcile_at, clock_ahead from host order by id`.execute(db)
  expect(rows).toEqual([
    { id: 'here', reconcile_at: time, clock_ahead: null },
    { id: 'refused', reconcile_at: null, clock_ahead: null },
  ])
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
