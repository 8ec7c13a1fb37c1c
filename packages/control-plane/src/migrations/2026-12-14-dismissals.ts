import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

/** Places whose first steps a user has dismissed. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { user_id: 'text', id: 'text', time_created: 'text' }
  await table(db, dialect, 'dismissal', columns, ['user_id', 'id'], { user_id: 'silo_user' })
}
