import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/** An index to list users by name, even in a silo with many thousands of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = ['silo_id', 'display_name', 'id']
  await index(db, 'silo_user_display', 'silo_user', columns, { where: live })
}
