import { type Kysely, sql } from 'kysely'

/** Providers are not allowed to begin a sign-in until an administrator says so. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .alterTable('saml_identity_provider')
    .addColumn('idp_initiated', sql.raw('int'), (column) => column.notNull().defaultTo(0))
    .execute()
