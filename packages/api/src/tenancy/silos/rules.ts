/** Rules of silos and their quotas (control plane 4.1, 4.2, 4.6). */
import { DELETION_RACED } from '../../workspace/deletion/rules.ts'

/** Certificates of a new silo. */
export const SILO_CERTIFICATES_MAX = 32
/** Maximum length of a group name from an identity provider in characters. */
export const GROUP_NAME_MAX = 255

export function groupNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'the name of a group must not be blank'
  if (name.length > GROUP_NAME_MAX) {
    return `the name of a group may have at most ${GROUP_NAME_MAX} characters`
  }
  return undefined
}

/** Origin of a user or group: created here, by SAML sign-in, or by a SCIM client. */
export const identitySources = ['local', 'saml', 'scim'] as const
export type IdentitySource = (typeof identitySources)[number]

/** Reason that a user or group cannot be changed or deleted here; undefined if it can. */
export function keptElsewhere(what: 'user' | 'group', source: IdentitySource): string | undefined {
  switch (source) {
    case 'local':
      return undefined
    case 'saml':
      return `The ${what} comes from the identity provider and is kept there`
    case 'scim':
      return `The identity provider keeps the ${what} over SCIM: change it there`
  }
}

export const siloMessages = {
  groupsElsewhere: 'the groups of this silo come from its identity provider',
  containsProject: 'silo to be deleted contains a project',
  ownSilo: 'silo to be deleted is the one of the caller',
  raced: `silo ${DELETION_RACED}`,
} as const

/**
 * Larger quotas are capped to this one, which no installation reaches: larger whole numbers are not
 * exact in JavaScript.
 */
export const QUOTA_MAX = Number.MAX_SAFE_INTEGER

/** Refusal of a negative quota. Negative byte counts are refused by their type. */
export const negativeQuota = (verb: 'create' | 'update'): string =>
  `Cannot ${verb} silo quota: CPU quota must not be negative`
