import {
  AdoptedUsers,
  LastProviderSignIn,
  UserIdentities,
  UserIdentity,
  UserIdentityCreate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const ofProviders = { saml_identity_provider: 'modify', oidc_identity_provider: 'modify' } as const

/** Users sign in through the identity providers to which an administrator, or the first sign-in, linked them. */
export const userIdentityOperations = usual('silo_user', {
  path: '/x/v1/users/{user_id}',
  selectors: ['silo'],
  permission: { silo_user: 'modify' },
})({
  user_identity_list: {
    route: 'GET identities',
    summary: 'List the identity providers through which a user signs in',
    answer: UserIdentities,
  },
  user_identity_link: {
    route: 'POST identities',
    summary: 'Let a user sign in through another identity provider',
    permission: { silo_user: 'modify', ...ofProviders },
    body: UserIdentityCreate,
    success: { status: 201, schema: UserIdentity },
  },
  user_identity_unlink: {
    route: 'DELETE identities/{provider_id}',
    summary: 'No longer let a user sign in through an identity provider, and end their sessions',
    changes: ['console_session', 'access_token'],
  },
  identity_provider_last_sign_in: {
    route: 'GET /x/v1/provider-sign-ins/{provider_id}',
    summary: 'Show which name and groups the last sign-in through an identity provider brought',
    permission: ofProviders,
    answer: LastProviderSignIn,
  },
  identity_provider_adopt_users: {
    route: 'POST /x/v1/identity-providers/{provider_id}/adopt-users',
    summary: 'Link the users of a silo who have no identity provider, or only deleted ones',
    permission: { ...ofProviders, silo_user: 'modify' },
    success: { status: 200, schema: AdoptedUsers },
  },
})
