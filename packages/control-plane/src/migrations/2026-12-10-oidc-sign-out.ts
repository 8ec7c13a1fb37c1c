import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'

/** Signing out at OpenID Connect providers. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('oidc_identity_provider')
    .addColumn('sign_out_at_provider', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  await db.schema.alterTable('console_session').addColumn('oidc_id_token', text).execute()
}
