import { providerFilters } from '../identity-providers/search.ts'
import {
  OidcIdentityProvider,
  OidcIdentityProviderCreate,
  OidcIdentityProviderUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const oidcProviderOperations = usual('oidc_identity_provider', {
  item: OidcIdentityProvider,
  path: '/x/v1/system/identity-providers/oidc/{provider}',
  selectors: ['silo'],
})({
  oidc_identity_provider_search: {
    summary: 'Search, filter and sort the OpenID Connect providers of a silo',
    permission: { silo: 'read', oidc_identity_provider: 'list' },
    filters: providerFilters,
  },
  oidc_identity_provider_create: {
    summary: 'Create an OpenID Connect provider',
    permission: { silo: 'read', oidc_identity_provider: 'create' },
    body: OidcIdentityProviderCreate,
    // Discovery may take too long for a transaction.
    transaction: 'own',
  },
  oidc_identity_provider_view: { summary: 'Show an OpenID Connect provider' },
  oidc_identity_provider_update: {
    summary: 'Change an OpenID Connect provider',
    body: OidcIdentityProviderUpdate,
  },
  oidc_identity_provider_delete: {
    summary: 'Delete an OpenID Connect provider, and end the sessions that it opened',
  },
})
