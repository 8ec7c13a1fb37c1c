import type { Kysely } from 'kysely'

/** Whether commas are part of the names of groups, and a record of the last sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['saml_identity_provider', 'oidc_identity_provider']) {
    await db.schema
      .alterTable(table)
      .addColumn('commas_in_groups', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable(table).addColumn('last_sign_in', 'text').execute()
  }
}
