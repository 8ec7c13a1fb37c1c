import { bytes } from '../../schema.ts'
import { providerFilters } from './search.ts'
import {
  IdentityProvider,
  SamlIdentityProvider,
  SamlIdentityProviderCreate,
  SamlSignInSettings,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Providers of all types. */
const providers = usual('saml_identity_provider', {
  item: IdentityProvider,
  id: 'silo_identity_provider',
  path: '/v1/system/identity-providers/{provider}',
  tag: 'system/silos',
  selectors: ['silo'],
})

const samlProviders = usual('saml_identity_provider', {
  item: SamlIdentityProvider,
  path: '/v1/system/identity-providers/saml/{provider}',
  tag: 'system/silos',
  selectors: ['silo'],
})

const extensions = {
  path: '/x/v1/identity-providers/saml/{provider}',
  selectors: ['silo'],
} as const

export const identityProviderOperations = {
  ...providers({
    list: {
      summary: 'List the identity providers of a silo',
      permission: { silo: 'read', saml_identity_provider: 'list' },
    },
    search: { filters: providerFilters },
  }),
  ...samlProviders({
    create: {
      summary: 'Create a SAML identity provider',
      permission: { silo: 'read', saml_identity_provider: 'create' },
      body: SamlIdentityProviderCreate,
      // Fetching its metadata may take too long for a transaction.
      transaction: 'own',
    },
    view: { summary: 'Show a SAML identity provider' },
  }),
  ...usual('saml_identity_provider', { ...extensions, id: 'saml_sign_in_settings' })({
    view: {
      route: 'GET sign-in',
      summary: 'Show the sign-in settings of a SAML identity provider',
      answer: SamlSignInSettings,
    },
    update: {
      route: 'PUT sign-in',
      summary: 'Change the sign-in settings of a SAML identity provider',
      body: SamlSignInSettings,
      answer: SamlSignInSettings,
    },
  }),
  ...usual(
    'saml_identity_provider',
    extensions,
  )({
    /** Sessions that it opened go on until they end; nothing says which these are. */
    delete: {
      summary: 'Delete a SAML identity provider, through which nobody can sign in any more',
    },
  }),
  ...usual('saml_identity_provider', { ...extensions, id: 'saml_service' })({
    metadata: {
      route: 'GET metadata',
      summary: 'Download the service provider metadata for a SAML identity provider',
      success: { status: 200, schema: bytes, contentType: 'application/samlmetadata+xml' },
    },
  }),
}
