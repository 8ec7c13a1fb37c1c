import { type Kysely, sql } from 'kysely'

/** Passwords that do not follow the rules of new ones. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('silo_user').addColumn('password_weak', sql.raw('int')).execute()
