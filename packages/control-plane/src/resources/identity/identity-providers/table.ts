import type { Generated } from 'kysely'
import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface SamlIdentityProviderTable extends Listed, SoftDeleted {
  silo_id: string
  idp_entity_id: string
  sp_client_id: string
  acs_url: string
  slo_url: string
  technical_contact_email: string
  group_attribute_name: string | null
  /** Certificate for signing requests: X.509 in DER, base64; null if requests are not signed. */
  public_cert: string | null
  /** Its key: PKCS#1 in DER, base64; in no answer of the API. */
  private_key: string | null
  /** Whether answers without a request by a browser may sign users in. */
  idp_initiated: Flag
  /** Whether commas are part of the names of groups, instead of separating them. */
  commas_in_groups: Generated<Flag>
  /** JSON of {@link LastSignIn}; null before the first one. */
  last_sign_in: string | null
  /** The document as published by the provider. */
  idp_metadata: string
  /** From the metadata: the address for signing in. */
  sso_url: string
  /** From the metadata: certificates that sign assertions, DER in base64; JSON. */
  idp_certificates: string
}

/** The column `idp_certificates`. */
export const signingCertificates = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    saml_identity_provider: SamlIdentityProviderTable
  }
}

export const samlIdentityProviderTables: StoredTables = {
  saml_identity_provider: {
    marked: true,
    within: { silo_id: 'silo' },
    names: { saml_identity_provider_name: kinds.saml_identity_provider.type },
  },
}
