import type { Db } from '../../../kernel/db/database.ts'

/** The ids of all users of a silo, as a query. */
export const usersOf = (db: Db, siloId: string) =>
  db.selectFrom('silo_user').select('id').where('silo_id', '=', siloId)
