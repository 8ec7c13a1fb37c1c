/** Access tokens with less than the rights of their user. */
import { type Action, type Grant, relations, type SiloRole, siloRoles } from '../../rules/roles.ts'

/**
 * The rights of a token: all those of its user, only reading, or those of a role at most. A role
 * counts on each level: with `viewer`, a token of an admin of a silo may do what a viewer may.
 */
export const tokenAccesses = ['full', 'read_only', ...siloRoles] as const
export type TokenAccess = (typeof tokenAccesses)[number]

/** The projects that one token may be limited to. */
export const TOKEN_PROJECTS_MAX = 20
/** The unexpired tokens with a name of one user. */
export const NAMED_TOKENS_MAX = 100

/** The limits of a caller's rights, besides the roles of the user. */
export interface Limits {
  readOnly: boolean
  /** The strongest role that counts; null for no limit. */
  role: SiloRole | null
  /**
   * Ids of the only projects in which roles count. Roles on the silo then count as far as they imply
   * roles in these projects, and roles on the fleet do not count. Null for no limit.
   */
  projects: readonly string[] | null
}

/** The limits of a token; undefined for one with all rights of its user. */
export function limitsOf(
  access: TokenAccess,
  projects: readonly string[] | null,
): Limits | undefined {
  if (access === 'full' && projects === null) return undefined
  const readOnly = access === 'read_only'
  return { readOnly, role: readOnly || access === 'full' ? null : access, projects }
}

/** The limits of a caller that several limits apply to. */
export function bothLimits(one: Limits, other: Limits): Limits {
  const weaker = [one.role, other.role]
    .filter((role) => role !== null)
    .toSorted((a, b) => siloRoles.indexOf(b) - siloRoles.indexOf(a))
  const projects =
    one.projects && other.projects
      ? one.projects.filter((id) => other.projects!.includes(id))
      : (one.projects ?? other.projects)
  return { readOnly: one.readOnly || other.readOnly, role: weaker[0] ?? null, projects }
}

/**
 * Whether a grant counts for a caller with limits. The user's own tokens, sessions and password are
 * out of reach.
 */
export function isWithin({ role }: Limits, grant: Grant): boolean {
  if (relations.includes(grant)) return grant !== 'self'
  const held = grant.split('.')[1] as SiloRole
  return role === null || siloRoles.indexOf(held) >= siloRoles.indexOf(role)
}

/** Whether an action is possible for a caller with limits, whatever the grants. */
export const isActionWithin = ({ readOnly }: Limits, action: Action): boolean =>
  !readOnly || action === 'read' || action === 'list'

export const tokenMessages = {
  tooMany: `A user can have at most ${NAMED_TOKENS_MAX} access tokens with a name. Delete one that is no longer used.`,
  /** Refusal of a call about a user's own account. */
  limited:
    'Forbidden: this access token has less than the rights of its user, and this call needs all of them',
  readOnly: 'Forbidden: this access token can only read',
} as const
