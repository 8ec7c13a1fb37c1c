import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'

/** Columns for users and groups of identity providers, and details for administrators. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = dialect === 'postgres' ? sql.raw('text collate "C"') : sql.raw('text')
  const add = (table: string, column: string, type = text) =>
    db.schema.alterTable(table).addColumn(column, type).execute()
  for (const column of ['user_name_key', 'provider_key', 'time_deactivated', 'time_last_sign_in']) {
    await add('silo_user', column)
  }
  await add('silo_user', 'password_generated', sql.raw('int'))
  for (const column of ['display_name_key', 'provider_key']) await add('silo_group', column)
  await index(db, 'silo_user_user_name', 'silo_user', ['silo_id', 'user_name_key'], {
    unique: true,
    where: `${live} and user_name_key is not null`,
  })
  await index(db, 'silo_group_display_key', 'silo_group', ['silo_id', 'display_name_key'], {
    unique: true,
    where: `${live} and display_name_key is not null`,
  })
}
