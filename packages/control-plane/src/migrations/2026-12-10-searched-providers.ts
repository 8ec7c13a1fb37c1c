import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { makeSearchable } from './searched.ts'

/** The search of identity providers. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await makeSearchable(db, dialect, 'saml_identity_provider', 'silo_id')
  await makeSearchable(db, dialect, 'oidc_identity_provider', 'silo_id')
}
