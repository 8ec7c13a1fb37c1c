import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** Replicas of disks, disks that wait to be adopted, and which sleds a rack is made of. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const table of ['sled', 'physical_disk']) {
    await index(db, `${table}_by_name`, table, ['fleet_id', 'name', 'id'])
  }
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  await db.schema
    .alterTable('rack')
    .addColumn('seen', text, (c) => c.notNull().defaultTo('{"sleds":[],"switches":[]}'))
    .execute()
  await table(
    db,
    dialect,
    'disk_replica',
    {
      disk_id: 'text',
      physical_disk_id: 'text',
      size: 'bigint',
      state: 'text',
      time_started: 'text?',
      time_repaired: 'text?',
    },
    ['disk_id', 'physical_disk_id'],
  )
  await index(db, 'disk_replica_place', 'disk_replica', ['physical_disk_id', 'disk_id'])
  // All queries for these say so in the same words, because few replicas are not ready.
  await index(db, 'disk_replica_unready', 'disk_replica', ['state', 'time_repaired'], {
    where: "state <> 'ready'",
  })
  await table(
    db,
    dialect,
    'disk_adoption_request',
    {
      id: 'text',
      fleet_id: 'text',
      vendor: 'text',
      model: 'text',
      serial: 'text',
      time_created: 'text',
    },
    ['id'],
  )
  await index(
    db,
    'disk_adoption_request_disk',
    'disk_adoption_request',
    ['vendor', 'model', 'serial'],
    { unique: true },
  )

  await table(
    db,
    dialect,
    'rack_membership',
    {
      rack_id: 'text',
      version: 'int',
      state: 'text',
      time_created: 'text',
      time_committed: 'text?',
      time_aborted: 'text?',
    },
    ['rack_id', 'version'],
  )
  await table(
    db,
    dialect,
    'rack_member',
    {
      rack_id: 'text',
      version: 'int',
      part: 'text',
      serial: 'text',
      sled_id: 'text',
      acknowledged: 'int',
    },
    ['rack_id', 'version', 'serial'],
  )
}
