import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, reconciledIndexes, table, textType } from './build.ts'

/**
 * Storage pools, and the pools of disks and snapshots. The first start of a server adds the pool that
 * the engine has, and puts what exists into it (`setUpStoragePools`).
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    ...listed,
    fleet_id: 'text',
    time_deleted: 'text?',
    type: 'text',
    path: 'text?',
    built_in: 'int',
    is_default: 'int',
    state: 'text',
    problem: 'text?',
    size: 'bigint',
    free: 'bigint?',
    used: 'bigint',
    reclaimable: 'bigint',
    time_checked: 'text?',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    step_failure: 'text?',
    time_step_failed: 'text?',
  }
  await table(db, dialect, 'storage_pool', columns, ['id'])
  for (const column of ['fence', 'step_failures', 'generation']) {
    await db.schema
      .alterTable('storage_pool')
      .addColumn(column, sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
  }
  const indexed = (name: string, on: string[], unique = false, where = live) =>
    index(db, `storage_pool_${name}`, 'storage_pool', on, { unique, where })
  await indexed('name', ['name'], true)
  await indexed('path', ['path'], true)
  await indexed('default', ['is_default'], true, `${live} and is_default = 1`)
  await indexed('first', ['built_in'], true, `${live} and built_in = 1`)
  const sorted = { natural_name: 'name_key', provisioned: 'used' } as Record<string, string>
  for (const column of [
    'name',
    'natural_name',
    'description',
    'type',
    'state',
    'size',
    'provisioned',
    'time_created',
  ]) {
    await indexed(`by_${column}`, ['fleet_id', sorted[column] ?? column, 'id'])
  }
  await index(
    db,
    'storage_pool_search',
    'storage_pool',
    ['fleet_id', 'name', 'description', 'path', 'type', 'state', 'time_deleted', 'id'],
    { where: `${live} and name <> ''` },
  )
  await indexed('found', ['name', 'fleet_id'])
  await reconciledIndexes(db, 'storage_pool')

  const hosts = { storage_pool_id: 'text', serial: 'text', problem: 'text?' }
  await table(db, dialect, 'storage_pool_host', hosts, ['storage_pool_id', 'serial'])
  const moves = {
    disk_id: 'text',
    storage_pool_id: 'text?',
    percent: 'int?',
    problem: 'text?',
    cancelled: 'int',
  }
  await table(db, dialect, 'disk_move', moves, ['disk_id'], { disk_id: 'disk' })

  for (const name of ['disk', 'snapshot', 'silo']) {
    const type = textType(dialect)
    await db.schema.alterTable(name).addColumn('storage_pool_id', type).execute()
    await index(db, `${name}_storage_pool`, name, ['storage_pool_id'], {
      where: 'storage_pool_id is not null',
    })
  }
}
