import type { Operation } from '../../operation.ts'
import { uuid } from '../../schema.ts'
import {
  AdoptedUsers,
  LastProviderSignIn,
  UserIdentities,
  UserIdentity,
  UserIdentityCreate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['extensions']
const changed = { saml_identity_provider: 'modify', oidc_identity_provider: 'modify' } as const

/** Users sign in through the identity providers to which an administrator, or the first sign-in, linked them. */
export const userIdentityOperations = {
  ...usual('silo_user', {
    item: UserIdentity,
    id: 'user_identity',
    path: '/x/v1/users/{user_id}/identities/{identity}',
    selectors: ['silo'],
  })({
    list: {
      summary: 'List the identity providers through which a user signs in',
      permission: { silo_user: 'modify' },
      answer: UserIdentities,
    },
    link: {
      route: 'POST /x/v1/users/{user_id}/identities',
      summary: 'Let a user sign in through another identity provider',
      permission: { silo_user: 'modify', ...changed },
      body: UserIdentityCreate,
      success: { status: 201, schema: UserIdentity },
    },
    unlink: {
      route: 'DELETE /x/v1/users/{user_id}/identities/{provider_id}',
      summary: 'No longer let a user sign in through an identity provider, and end their sessions',
    },
  }),
  identity_provider_last_sign_in: {
    method: 'GET',
    path: '/x/v1/provider-sign-ins/{provider_id}',
    tags,
    summary: 'Show which name and groups the last sign-in through an identity provider brought',
    permission: changed,
    params: { provider_id: uuid },
    success: { status: 200, schema: LastProviderSignIn },
  },
  identity_provider_adopt_users: {
    method: 'POST',
    path: '/x/v1/identity-providers/{provider_id}/adopt-users',
    tags,
    summary: 'Link the users of a silo who have no identity provider, or only deleted ones',
    permission: { ...changed, silo_user: 'modify' },
    params: { provider_id: uuid },
    success: { status: 200, schema: AdoptedUsers },
  },
} as const satisfies Record<string, Operation>
