/** Users and the identity providers through which they sign in. */
import { OIDC_NAME_MAX } from '../oidc-providers/rules.ts'

/** Maximum number of groups that a sign-in brings. */
export const SIGN_IN_GROUPS_MAX = 500

/** Reasons for refusing a sign-in through any identity provider. */
export const signInMessages = {
  tooManyGroups: (count: number) =>
    `the user has ${count} groups, at most ${SIGN_IN_GROUPS_MAX} are taken`,
} as const

export const userIdentityMessages = {
  /** Refusal of a sign-in. */
  unlinked: (name: string) =>
    `a user "${name}" is in this silo without an identity provider. An administrator has to link the user to this provider first`,
  several: (name: string) =>
    `several users of this provider are named "${name}" in upper or lower case`,
  otherSilo: 'the provider and the user are not in the same silo',
  local: 'a service account does not sign in',
  taken: (name: string) => `another user signs in through this provider as "${name}"`,
  badName: `it must be a name without control characters, of at most ${OIDC_NAME_MAX} characters`,
} as const
