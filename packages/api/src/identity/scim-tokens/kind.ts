import type { Kind } from '../../kinds/kind.ts'
import type { Grant } from '../../rules/roles.ts'

const keepers: readonly Grant[] = ['silo.admin', 'fleet.admin']

/** Bearer token with which an identity provider manages the users and groups of a silo. */
export const scim_token = {
  type: 'scim-client-bearer-token',
  words: 'SCIM token',
  resource: 'scim-tokens',
  access: { scope: 'silo', read: keepers, list: keepers, create: keepers, modify: keepers },
  parent: 'silo',
} as const satisfies Kind
