import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import { providerColumns, providerFilters } from '../identity-providers/search.ts'
import {
  OidcIdentityProvider,
  OidcIdentityProviderCreate,
  OidcIdentityProviderUpdate,
} from './schemas.ts'

const tags = ['extensions']
const path = '/x/v1/system/identity-providers/oidc'
const one = {
  path: `${path}/{provider}`,
  tags,
  params: { provider: NameOrId },
  query: { silo: NameOrId.optional() },
} as const

export const oidcProviderOperations = {
  oidc_identity_provider_search: searched({
    kind: 'OidcIdentityProvider',
    item: OidcIdentityProvider,
    plain: {
      path: '/v1/system/identity-providers/oidc',
      summary: 'List the OpenID Connect providers of a silo',
      permission: { silo: 'read', oidc_identity_provider: 'list' },
      scan: { sort: 'column', modes: [], required: ['silo'] },
    },
    columns: providerColumns,
    filters: providerFilters,
    selectors: { silo: NameOrId.optional() },
  }),
  oidc_identity_provider_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create an OpenID Connect provider',
    permission: { silo: 'read', oidc_identity_provider: 'create' },
    query: { silo: NameOrId },
    body: OidcIdentityProviderCreate,
    // Discovery may take too long for a transaction.
    transaction: 'own',
    success: { status: 201, schema: OidcIdentityProvider },
  },
  oidc_identity_provider_view: {
    method: 'GET',
    ...one,
    summary: 'Show an OpenID Connect provider',
    permission: { oidc_identity_provider: 'read' },
    success: { status: 200, schema: OidcIdentityProvider },
  },
  oidc_identity_provider_update: {
    method: 'PUT',
    ...one,
    summary: 'Change an OpenID Connect provider',
    permission: { oidc_identity_provider: 'modify' },
    body: OidcIdentityProviderUpdate,
    success: { status: 200, schema: OidcIdentityProvider },
  },
  oidc_identity_provider_delete: {
    method: 'DELETE',
    ...one,
    summary: 'Delete an OpenID Connect provider, and end the sessions that it opened',
    permission: { oidc_identity_provider: 'modify' },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
