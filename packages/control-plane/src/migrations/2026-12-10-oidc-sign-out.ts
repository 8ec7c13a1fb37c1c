import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { textType } from './build.ts'

/** Signing out at OpenID Connect providers. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('oidc_identity_provider')
    .addColumn('sign_out_at_provider', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  const text = textType(dialect)
  await db.schema.alterTable('console_session').addColumn('oidc_id_token', text).execute()
}
