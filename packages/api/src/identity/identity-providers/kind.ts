import type { Kind } from '../../kinds/kind.ts'

export const saml_identity_provider = {
  words: 'identity provider',
  access: {
    scope: 'silo',
    read: ['silo.viewer', 'fleet.viewer'],
    list: ['silo.user', 'fleet.viewer'],
    create: ['silo.admin', 'fleet.admin'],
    modify: ['silo.admin', 'fleet.admin'],
  },
  parent: 'silo',
  selectors: {
    both: 'when providing provider as an ID, silo should not be specified',
    neither: 'provider should either be a UUID or silo should be specified',
  },
  listed: true,
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
  reads: [
    'issue_list',
    'silo_identity_provider_list',
    'silo_identity_provider_search',
    'saml_sign_in_settings_view',
  ],
} as const satisfies Kind
