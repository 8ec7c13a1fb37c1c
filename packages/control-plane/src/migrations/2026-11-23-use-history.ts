import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** The use on each day; amounts of addresses exceed 64 bits. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { thing_id: 'text', resource: 'text', day: 'text', used: 'double precision' }
  await table(db, dialect, 'use_history', columns, ['thing_id', 'resource', 'day'])
  await index(db, 'use_history_day', 'use_history', ['day'])
}
