import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { makeSearchable } from './searched.ts'

/** Columns and indexes to search, filter and sort the list of discoverable silos. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  await db.schema.alterTable('silo').addColumn('listed_in', text).execute()
  await sql`update silo set listed_in = ${FLEET_ID} where discoverable = 1`.execute(db)
  await makeSearchable(db, dialect, 'silo', 'listed_in', ['identity_mode'])
  await index(db, 'silo_by_name', 'silo', ['listed_in', 'name'], { where: live })
}
