import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const fence = { id: 'text', fence: 'bigint', time_seen: 'bigint' }
  await table(db, dialect, 'engine_fence', fence, ['id'])
}
