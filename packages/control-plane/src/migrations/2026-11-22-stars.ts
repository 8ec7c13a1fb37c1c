import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { user_id: 'text', id: 'text', kind: 'text', time_created: 'text' }
  await table(db, dialect, 'star', columns, ['user_id', 'id'])
}
