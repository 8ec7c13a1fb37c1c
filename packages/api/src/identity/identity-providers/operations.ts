import { bytes } from '../../schema.ts'
import { providerFilters } from './search.ts'
import {
  IdentityProvider,
  SamlIdentityProvider,
  SamlIdentityProviderCreate,
  SamlSignInSettings,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const identityProviderOperations = {
  /** Providers of all types. */
  ...usual('saml_identity_provider', {
    item: IdentityProvider,
    id: 'silo_identity_provider',
    path: '/v1/system/identity-providers/{provider}',
    tag: 'system/silos',
    selectors: ['silo'],
  })({
    silo_identity_provider_list: {
      summary: 'List the identity providers of a silo',
      permission: { silo: 'read', saml_identity_provider: 'list' },
    },
    silo_identity_provider_search: {
      permission: { silo: 'read', saml_identity_provider: 'list' },
      filters: providerFilters,
    },
  }),
  ...usual('saml_identity_provider', {
    item: SamlIdentityProvider,
    path: '/v1/system/identity-providers/saml/{provider}',
    tag: 'system/silos',
    selectors: ['silo'],
  })({
    saml_identity_provider_create: {
      summary: 'Create a SAML identity provider',
      permission: { silo: 'read', saml_identity_provider: 'create' },
      body: SamlIdentityProviderCreate,
      // Fetching its metadata may take too long for a transaction.
      transaction: 'own',
    },
    saml_identity_provider_view: { summary: 'Show a SAML identity provider' },
  }),
  ...usual('saml_identity_provider', {
    item: SamlSignInSettings,
    path: '/x/v1/identity-providers/saml/{provider}',
    selectors: ['silo'],
  })({
    saml_sign_in_settings_view: {
      route: 'GET sign-in',
      summary: 'Show the sign-in settings of a SAML identity provider',
    },
    saml_sign_in_settings_update: {
      route: 'PUT sign-in',
      summary: 'Change the sign-in settings of a SAML identity provider',
      body: SamlSignInSettings,
    },
    /** Sessions that it opened go on until they end; nothing says which these are. */
    saml_identity_provider_delete: {
      summary: 'Delete a SAML identity provider, through which nobody can sign in any more',
    },
    saml_service_metadata: {
      route: 'GET metadata',
      summary: 'Download the service provider metadata for a SAML identity provider',
      success: { status: 200, schema: bytes, contentType: 'application/samlmetadata+xml' },
    },
  }),
}
