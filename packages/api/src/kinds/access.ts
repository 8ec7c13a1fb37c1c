/** The permission matrix: one row per kind of thing (control plane 3.2). */
import type { AccessRule, Action, Grant } from '../rules/roles.ts'
import { type KindName, kindNames, kindTable } from './kinds.ts'

export const access = Object.fromEntries(
  kindNames.map((name) => [name, kindTable[name].access]),
) as Record<KindName, AccessRule>

/** Whether a caller who holds these grants may do this to a thing of this kind. */
export const permits = (kind: KindName, action: Action, held: ReadonlySet<Grant>): boolean =>
  access[kind][action].some((grant) => held.has(grant))

/**
 * Why a caller may not do this, or undefined if they may. Also undefined if roles on the fleet would
 * allow it and are not known: only the server can tell.
 * @param held what the caller holds towards the silo and the project
 */
export function permissionProblem(
  kind: KindName,
  action: Action,
  held: ReadonlySet<Grant>,
): string | undefined {
  const grants = access[kind][action]
  const isUnknown = grants.some((grant) => grant.startsWith('fleet.'))
  if (isUnknown || permits(kind, action, held)) return undefined
  const [level, role] = grants[0]?.split('.') ?? []
  return role
    ? `You need the ${role.replaceAll('_', ' ')} role in the ${level}`
    : 'You are not permitted to do this'
}
