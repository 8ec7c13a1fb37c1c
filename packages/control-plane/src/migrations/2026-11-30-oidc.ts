import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { identity, index, live, table, textType } from './build.ts'

/** OpenID Connect providers, and the sessions that they opened. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    ...identity,
    time_deleted: 'text?',
    silo_id: 'text',
    issuer: 'text',
    client_id: 'text',
    client_secret: 'text?',
    scopes: 'text',
    user_claim: 'text',
    display_name_claim: 'text?',
    groups_claim: 'text?',
    redirect_uri: 'text',
  }
  await table(db, dialect, 'oidc_identity_provider', columns, ['id'])
  const name = ['silo_id', 'name']
  await index(db, 'oidc_identity_provider_name', 'oidc_identity_provider', name, {
    unique: true,
    where: live,
  })
  const text = textType(dialect)
  for (const column of ['oidc_provider_id', 'oidc_subject', 'oidc_session']) {
    await db.schema.alterTable('console_session').addColumn(column, text).execute()
  }
  await index(
    db,
    'console_session_oidc',
    'console_session',
    ['oidc_provider_id', 'oidc_subject', 'oidc_session'],
    { where: 'oidc_provider_id is not null' },
  )
}
