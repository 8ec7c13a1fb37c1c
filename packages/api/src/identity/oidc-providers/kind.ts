import type { Kind } from '../../kinds/kind.ts'
import { saml_identity_provider } from '../identity-providers/kind.ts'

export const oidc_identity_provider = {
  words: 'OpenID Connect provider',
  access: saml_identity_provider.access,
  parent: 'silo',
  selectors: saml_identity_provider.selectors,
  listed: true,
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
  reads: ['oidc_identity_provider_search'],
} as const satisfies Kind
