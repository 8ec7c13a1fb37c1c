import type { Generated } from 'kysely'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { always } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'

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

type Provider = Row<'saml_identity_provider'>

export const toWireProvider = (row: Provider): Wire.IdentityProvider => ({
  ...identityOf(row),
  provider_type: 'saml',
})

/** Deletes a provider, and its key. */
export async function deleteSamlProvider(
  writing: Writing,
  provider: Row<'saml_identity_provider'>,
): Promise<void> {
  await deleteRow(writing, 'saml_identity_provider', provider, { private_key: null })
}

export const saml_identity_provider: StoredKind<'saml_identity_provider'> = {
  tables: {
    saml_identity_provider: {
      marked: true,
      within: { silo_id: 'silo' },
      names: { saml_identity_provider_name: kinds.saml_identity_provider.type },
    },
  },
  live: 'time_deleted is null',
  search: searchOf('silo_identity_provider_search', {
    searched: described,
    sorts: usualSorts,
    filters: { type: always('saml') },
    toWire: each(toWireProvider),
  }),
  steps: {
    delete: stepOn('saml_identity_provider', 'saml_identity_provider_delete', deleteSamlProvider),
  },
  deletion: { columns: { silo_id: 'silo_id' } },
}
