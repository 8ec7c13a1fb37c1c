import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/** Users and groups are sorted by their display names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['silo_user', 'silo_group']) {
    await index(db, `${table}_displayed`, table, ['silo_id', 'lower(display_name)', 'id'], {
      where: live,
    })
  }
}
