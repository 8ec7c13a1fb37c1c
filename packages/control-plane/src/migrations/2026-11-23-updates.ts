import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** The update of the system, sleds being updated, and instances migrating for it. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  await db.schema
    .alterTable('sled')
    .addColumn('updating', sql.raw('int'), (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('instance').addColumn('destination_sled_id', text).execute()
  await db.schema.alterTable('instance').addColumn('migration_id', text).execute()
  await table(
    db,
    dialect,
    'system_update',
    {
      id: 'text',
      fleet_id: 'text',
      seen: 'text',
      state: 'text',
      repository_id: 'text?',
      version: 'text?',
      time_requested: 'text?',
      previous_repository_id: 'text?',
      time_last_step: 'text',
      problem: 'text?',
      time_problem: 'text?',
      generation: 'int',
      reconcile_at: 'text?',
      lease_until: 'bigint?',
      fence: 'int',
    },
    ['id'],
  )
  await index(db, 'system_update_alarms', 'system_update', ['reconcile_at'], {
    where: 'reconcile_at is not null and lease_until is null',
  })
  await index(db, 'system_update_leases', 'system_update', ['lease_until'], {
    where: 'lease_until is not null',
  })
  const now = new Date().toISOString()
  const seen = JSON.stringify({ components: [], recovered: [] })
  await sql`insert into system_update
    (id, fleet_id, seen, state, time_last_step, generation, reconcile_at, fence)
    values (${crypto.randomUUID()}, ${FLEET_ID}, ${seen}, 'none', ${now}, 0, ${now}, 0)`.execute(db)
}
