/** The permission matrix: one row per kind of thing (control plane 3.2). */
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

/** Whether a caller who holds these grants may do this to a thing of this kind. */
export const permits = (kind: KindName, action: Action, held: ReadonlySet<Grant>): boolean =>
  access[kind][action].some((grant) => held.has(grant))

/** What a caller holds towards a place, as far as it is known. */
export interface Held {
  grants: ReadonlySet<Grant>
  /** Roles on the fleet are among the grants, if the caller has any. */
  fleetKnown: boolean
  /** The place is in another silo than the caller, so only roles on the fleet count. */
  elsewhere?: boolean
}

const wordsOf = (grant: Grant) => {
  const [level, role = ''] = grant.split('.') as [string, string?]
  return { level, role: role.replaceAll('_', ' ') }
}

/**
 * Why a caller may not do this, or undefined if they may. Also undefined if roles on the fleet would
 * allow it and are not known: only the server can tell.
 */
export function permissionProblem(
  kind: KindName,
  action: Action,
  { grants, fleetKnown, elsewhere }: Held,
): string | undefined {
  const rule = access[kind][action].filter((grant) => !elsewhere || grant.startsWith('fleet.'))
  const isUnknown = !fleetKnown && rule.some((grant) => grant.startsWith('fleet.'))
  if (isUnknown || rule.some((grant) => grants.has(grant))) return undefined
  // The weakest of what would do is the first that a row names.
  const needed = rule.find((grant) => grant !== 'self')
  if (!needed) return elsewhere ? 'It is in another silo' : 'Only its owner may do this'
  const { level, role } = wordsOf(needed)
  // At each level, the strongest is the first.
  const own = allGrants.find(
    (grant) => grants.has(grant) && wordsOf(grant).level === level && !relations.includes(grant),
  )
  const has = own ? `you are ${wordsOf(own).role}` : `you have no role on the ${level}`
  return `Needs ${level} ${role}; ${has}`
}

/** The kinds that an operation looks up, each with the action it needs there. */
export type Needs = Readonly<Record<string, Action>>

/** The kind that each call of an operation is about: the first that it changes. */
export function usuallyAbout(needs: Needs): readonly string[] {
  const kinds = Object.keys(needs)
  return [kinds.find((kind) => needs[kind] !== 'read') ?? kinds[0]!]
}

/**
 * Why a caller may not call an operation, or undefined if they may, or if only the server can tell.
 * @param about the kinds that the call is about for certain
 */
export function operationProblem(
  needs: Needs,
  held: Held,
  about: readonly string[] = usuallyAbout(needs),
): string | undefined {
  for (const kind of about) {
    const problem = permissionProblem(kind as KindName, needs[kind]!, held)
    if (problem) return problem
  }
  return undefined
}
