import { type Kysely, sql } from 'kysely'

/** Sleds that are cut off from the network. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .alterTable('simulated_sled')
    .addColumn('cut', sql.raw('int'), (c) => c.notNull().defaultTo(0))
    .execute()
