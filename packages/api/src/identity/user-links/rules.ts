/**
 * Links with which people set a password or confirm a mail address without being signed in:
 * invitations and forgotten passwords.
 */
import { NAME_MAX } from '../../rules/names.ts'
import { tooMany } from '../auth/sign-in.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/**
 * - `invitation`: the first password of a user
 * - `password`: another password, after one was forgotten
 * - `address`: confirms a mail address
 */
export const userLinkPurposes = ['invitation', 'password', 'address'] as const
export type UserLinkPurpose = (typeof userLinkPurposes)[number]

/** Days for which an invitation is valid. */
export const INVITATION_DAYS = 7
/** How long a link is valid. Milliseconds. */
export const userLinkValidMs: Record<UserLinkPurpose, number> = {
  invitation: INVITATION_DAYS * DAY_MS,
  password: HOUR_MS,
  address: 7 * DAY_MS,
}
/** Milliseconds for which an expired invitation is shown to administrators. */
export const EXPIRED_INVITATION_KEPT_MS = 30 * DAY_MS

/** Random bytes of the secret in a link. */
export const USER_LINK_BYTES = 32

/** Free views and uses of links per address; further ones have to wait. */
export const USER_LINK_FREE_USES = 60
export const tooManyUserLinks = tooMany('links')

/** Mails about a forgotten password, per user and day. Further requests have no effect. */
export const FORGOTTEN_MAILS_A_DAY = 3
/** Free requests about one user from one address, and from one address about all users. */
export const FORGOTTEN_FREE_OF_USER = 3
export const FORGOTTEN_FREE_OF_ADDRESS = 20
/** Requests that wait to be answered by a mail, of all users together. */
export const FORGOTTEN_WAITING_MAX = 1_000
export const tooManyForgotten = tooMany('forgotten passwords')

/** Path of the console page of a link. The secret is in the fragment, which browsers never send. */
export const USER_LINK_PATH = '/login/link'
export const userLinkPath = (token: string): string => `${USER_LINK_PATH}#${token}`

/** How an administrator hands over a link. */
export const linkDeliveries = ['mail', 'copy'] as const
export type LinkDelivery = (typeof linkDeliveries)[number]

/**
 * Whether a user can sign in, for lists:
 * - `active`: with a password, or at an identity provider
 * - `invited`: by a link, which may have expired
 * - `no_sign_in`: there is neither a password nor a link
 * - `deactivated`: by the identity provider
 */
export const userStates = ['active', 'invited', 'no_sign_in', 'deactivated'] as const
export type UserState = (typeof userStates)[number]

export const userLinkMessages = {
  /** Unknown, used, replaced and expired links are not told apart. */
  badLink: 'this link is not valid, or no longer',
  noAddress: 'the user has no mail address',
  noPassword: 'a link for a password is used with a password',
  deactivated: 'the user is deactivated',
  tooManyWaiting: 'too many requests for forgotten passwords are waiting; try again in a minute',
} as const

/** Warning about a person without a role on a silo whose image policy excludes such members. */
export const noSiloRoleWarning =
  'Without a role on the silo there are no images of the silo to choose from: the image policy excludes members of projects.'

/** The user name that a mail address suggests; empty if it suggests none. */
export function userNameOf(address: string): string {
  const [local = ''] = address.split('@')
  return local
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_MAX)
    .replace(/-+$/, '')
}
