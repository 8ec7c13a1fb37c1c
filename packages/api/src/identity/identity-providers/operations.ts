import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { bytes, NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { providerColumns, providerFilters } from './search.ts'
import {
  IdentityProvider,
  IdentityProviderResultsPage,
  SamlIdentityProvider,
  SamlIdentityProviderCreate,
  SamlSignInSettings,
} from './schemas.ts'

const tags = ['system/silos']
const named = { params: { provider: NameOrId }, query: { silo: NameOrId.optional() } }

const silo_identity_provider_list = {
  method: 'GET',
  path: '/v1/system/identity-providers',
  tags,
  summary: 'List the identity providers of a silo',
  permission: { silo: 'read', saml_identity_provider: 'list' },
  ...paged('name_or_id', { silo: NameOrId.optional() }, ['silo']),
  success: { status: 200, schema: IdentityProviderResultsPage },
} as const satisfies Operation

export const identityProviderOperations = {
  silo_identity_provider_list,
  silo_identity_provider_search: searched({
    kind: 'IdentityProvider',
    item: IdentityProvider,
    plain: silo_identity_provider_list,
    columns: providerColumns,
    filters: providerFilters,
    selectors: { silo: NameOrId.optional() },
  }),
  saml_identity_provider_create: {
    method: 'POST',
    path: '/v1/system/identity-providers/saml',
    tags,
    summary: 'Create a SAML identity provider',
    permission: { silo: 'read', saml_identity_provider: 'create' },
    query: { silo: NameOrId },
    body: SamlIdentityProviderCreate,
    // Fetching its metadata may take too long for a transaction.
    transaction: 'own',
    success: { status: 201, schema: SamlIdentityProvider },
  },
  saml_identity_provider_view: {
    method: 'GET',
    path: '/v1/system/identity-providers/saml/{provider}',
    tags,
    summary: 'Show a SAML identity provider',
    permission: { saml_identity_provider: 'read' },
    ...named,
    success: { status: 200, schema: SamlIdentityProvider },
  },
  saml_sign_in_settings_view: {
    method: 'GET',
    path: '/x/v1/identity-providers/saml/{provider}/sign-in',
    tags: ['extensions'],
    summary: 'Show the sign-in settings of a SAML identity provider',
    permission: { saml_identity_provider: 'read' },
    ...named,
    success: { status: 200, schema: SamlSignInSettings },
  },
  saml_sign_in_settings_update: {
    method: 'PUT',
    path: '/x/v1/identity-providers/saml/{provider}/sign-in',
    tags: ['extensions'],
    summary: 'Change the sign-in settings of a SAML identity provider',
    permission: { saml_identity_provider: 'modify' },
    ...named,
    body: SamlSignInSettings,
    success: { status: 200, schema: SamlSignInSettings },
  },
  /** Sessions that it opened go on until they end; nothing says which these are. */
  saml_identity_provider_delete: {
    method: 'DELETE',
    path: '/x/v1/identity-providers/saml/{provider}',
    tags: ['extensions'],
    summary: 'Delete a SAML identity provider, through which nobody can sign in any more',
    permission: { saml_identity_provider: 'modify' },
    ...named,
    success: { status: 204 },
  },
  saml_service_metadata: {
    method: 'GET',
    path: '/x/v1/identity-providers/saml/{provider}/metadata',
    tags: ['extensions'],
    summary: 'Download the service provider metadata for a SAML identity provider',
    permission: { saml_identity_provider: 'read' },
    ...named,
    success: { status: 200, schema: bytes, contentType: 'application/samlmetadata+xml' },
  },
} as const satisfies Record<string, Operation>
