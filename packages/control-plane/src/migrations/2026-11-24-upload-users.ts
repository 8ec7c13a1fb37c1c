import type { Kysely } from 'kysely'

/** Uploads know who has begun them, because they are limited for each user. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('update_upload').addColumn('user_id', 'text').execute()
