import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { identity, index, live, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    ...identity,
    time_deleted: 'text?',
    silo_id: 'text',
    idp_entity_id: 'text',
    sp_client_id: 'text',
    acs_url: 'text',
    slo_url: 'text',
    technical_contact_email: 'text',
    group_attribute_name: 'text?',
    public_cert: 'text?',
    private_key: 'text?',
    idp_metadata: 'text',
    sso_url: 'text',
    idp_certificates: 'text',
  }
  await table(db, dialect, 'saml_identity_provider', columns, ['id'])
  const name = ['silo_id', 'name']
  await index(db, 'saml_identity_provider_name', 'saml_identity_provider', name, {
    unique: true,
    where: live,
  })
  await table(db, dialect, 'saml_spent', { digest: 'text', time_expires: 'text' }, ['digest'])
  await index(db, 'saml_spent_time', 'saml_spent', ['time_expires'])
}
