/** The permission matrix: one row per kind (control plane 3.2). */
import {
  type AccessRule,
  type Action,
  type Grant,
  grants as allGrants,
  relations,
} from '../rules/roles.ts'
import { type KindName, kindNames, kindTable } from './kinds.ts'

export const access = Object.fromEntries(
  kindNames.map((name) => [name, kindTable[name].access]),
) as Record<KindName, AccessRule>

/** Whether a caller with these grants may do this to a resource of this kind. */
export const permits = (kind: KindName, action: Action, held: ReadonlySet<Grant>): boolean =>
  access[kind][action].some((grant) => held.has(grant))

/** Known grants of a caller at a place. */
export interface HeldGrants {
  grants: ReadonlySet<Grant>
  /** Whether the caller's fleet roles, if any, are included in the grants. */
  fleetKnown: boolean
  /** The place is in another silo than the caller, so only fleet roles count. */
  elsewhere?: boolean
}

const wordsOf = (grant: Grant) => {
  const [level, role = ''] = grant.split('.') as [string, string?]
  return { level, role: role.replaceAll('_', ' ') }
}

/**
 * Reason for the refusal of an action; undefined if it is permitted, or if unknown fleet roles
 * might permit it: then only the server can tell.
 */
export function permissionProblem(
  kind: KindName,
  action: Action,
  { grants, fleetKnown, elsewhere }: HeldGrants,
): string | undefined {
  const rule = access[kind][action].filter((grant) => !elsewhere || grant.startsWith('fleet.'))
  const isUnknown = !fleetKnown && rule.some((grant) => grant.startsWith('fleet.'))
  if (isUnknown || rule.some((grant) => grants.has(grant))) return undefined
  // Rows name the weakest sufficient role first.
  const needed = rule.find((grant) => grant !== 'self')
  if (!needed) return elsewhere ? 'It is in another silo' : 'Only its owner may do this'
  const { level, role } = wordsOf(needed)
  // At each level, the strongest is first.
  const own = allGrants.find(
    (grant) => grants.has(grant) && wordsOf(grant).level === level && !relations.includes(grant),
  )
  const has = own ? `you are ${wordsOf(own).role}` : `you have no role on the ${level}`
  return `Needs ${level} ${role}; ${has}`
}

/** Kinds that an operation looks up, with the action needed on each. */
export type RequiredActions = Readonly<Record<string, Action>>

/** The main kind of an operation: the first that it changes. */
export function mainKinds(requiredActions: RequiredActions): readonly string[] {
  const kinds = Object.keys(requiredActions)
  return [kinds.find((kind) => requiredActions[kind] !== 'read') ?? kinds[0]!]
}

/**
 * Reason for the refusal of an operation; undefined if it is permitted, or if only the server can
 * tell.
 * @param about kinds that the call certainly involves
 */
export function operationProblem(
  requiredActions: RequiredActions,
  held: HeldGrants,
  about: readonly string[] = mainKinds(requiredActions),
): string | undefined {
  for (const kind of about) {
    const problem = permissionProblem(kind as KindName, requiredActions[kind]!, held)
    if (problem) return problem
  }
  return undefined
}
