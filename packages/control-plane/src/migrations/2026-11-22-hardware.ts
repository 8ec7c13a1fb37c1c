import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'
import { addNameKeys } from './name-keys.ts'

/**
 * Hardware: switches and physical disks, and what is known of sleds besides their size. The rows of
 * switches and disks are made when the control plane first sees the rack.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  const add = (on: string, column: string, type: typeof text, initial: string | number) =>
    db.schema
      .alterTable(on)
      .addColumn(column, type, (c) => c.notNull().defaultTo(initial))
      .execute()
  const int = sql.raw('int')

  await add('rack', 'fleet_id', text, FLEET_ID)
  await db.schema.alterTable('rack').addColumn('reconcile_at', text).execute()
  await db.schema.alterTable('rack').addColumn('lease_until', sql.raw('bigint')).execute()
  await add('rack', 'fence', int, 0)

  await db.schema.alterTable('sled').renameColumn('serial', 'name').execute()
  await addNameKeys(db, dialect, 'sled')
  await add('sled', 'fleet_id', text, FLEET_ID)
  await add('sled', 'cpu_platform', text, 'amd_milan')
  await add('sled', 'policy', text, 'in_service')
  await add('sled', 'state', text, 'active')
  await add('sled', 'responding', int, 1)
  const sled = (name: string, on: string[], options = {}) =>
    index(db, `sled_${name}`, 'sled', ['fleet_id', ...on], options)
  for (const column of [
    'name_key',
    'slot',
    'part',
    'state',
    'usable_hardware_threads',
    'used_threads',
    'usable_physical_ram',
    'used_ram',
    'time_created',
    'policy',
    'provision_policy',
  ]) {
    await sled(`by_${column}`, [column, 'id'])
  }
  await sled('search', ['name', 'part', 'id'], { where: "name <> ''" })
  await index(db, 'sled_found', 'sled', ['name'])
  await index(db, 'instance_sled', 'instance', ['sled_id', 'id'], { where: 'sled_id is not null' })

  const part = {
    id: 'text',
    fleet_id: 'text',
    name: 'text',
    time_created: 'text',
    time_modified: 'text',
  }
  await table(
    db,
    dialect,
    'rack_switch',
    { ...part, rack_id: 'text', slot: 'text', part: 'text', revision: 'int' },
    ['id'],
  )
  await index(db, 'rack_switch_slot', 'rack_switch', ['rack_id', 'slot'], { unique: true })

  await table(
    db,
    dialect,
    'physical_disk',
    {
      ...part,
      name_key: 'text',
      sled_id: 'text',
      vendor: 'text',
      model: 'text',
      form_factor: 'text',
      slot: 'int',
      size: 'bigint',
      used: 'bigint',
      policy: 'text',
      state: 'text',
      healthy: 'int',
    },
    ['id'],
  )
  const disk = (name: string, on: string[], options = {}) =>
    index(db, `physical_disk_${name}`, 'physical_disk', on, options)
  for (const column of [
    'name_key',
    'model',
    'vendor',
    'form_factor',
    'slot',
    'state',
    'size',
    'used',
    'time_created',
    'policy',
    'sled_id',
  ]) {
    await disk(`by_${column}`, ['fleet_id', column, 'id'])
  }
  await disk('search', ['fleet_id', 'name', 'model', 'vendor', 'id'], { where: "name <> ''" })
  await disk('found', ['name'])
  await disk('sled', ['sled_id', 'id'])
  // A disk that was given up may come back under another id.
  await disk('identity', ['vendor', 'model', 'name'], {
    unique: true,
    where: "policy = 'in_service'",
  })
}
