import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, reconciledIndexes, table } from './build.ts'

/** Hosts that operators have given. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    fleet_id: 'text',
    name: 'text',
    name_key: 'text',
    address: 'text',
    next_address: 'text?',
    state: 'text',
    check_due: 'int',
    time_checked: 'text?',
    part: 'text?',
    serial: 'text?',
    sled_id: 'text?',
    time_created: 'text',
    time_modified: 'text',
    time_deleted: 'text?',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    step_failure: 'text?',
    time_step_failed: 'text?',
  }
  await table(db, dialect, 'host', columns, ['id'])
  const defaulted = { findings: ['text', "'[]'"], generation: ['int', '0'] } as const
  for (const [column, [type, value]] of Object.entries(defaulted)) {
    await db.schema
      .alterTable('host')
      .addColumn(column, sql.raw(type), (c) => c.notNull().defaultTo(sql.raw(value)))
      .execute()
  }
  for (const column of ['fence', 'step_failures']) {
    await db.schema
      .alterTable('host')
      .addColumn(column, sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
  }
  const indexed = (name: string, on: string[], unique = false, where = live) =>
    index(db, `host_${name}`, 'host', on, { unique, where })
  await indexed('address', ['address'], true)
  // A machine is one host, whichever addresses it has.
  await indexed('identity', ['serial', 'part'], true, `${live} and serial is not null`)
  for (const column of ['name', 'natural_name', 'address', 'state', 'time_created']) {
    const on = column === 'natural_name' ? 'name_key' : column
    await indexed(`by_${column}`, ['fleet_id', on, 'id'])
  }
  await index(
    db,
    'host_search',
    'host',
    ['fleet_id', 'name', 'address', 'serial', 'state', 'time_deleted', 'id'],
    { where: `${live} and name <> ''` },
  )
  await indexed('found', ['name'])
  await reconciledIndexes(db, 'host')
}
