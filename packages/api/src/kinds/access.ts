/** The permission matrix: one row per kind of thing (control plane 3.2). */
import type { AccessRule, Action, Grant } from '../rules/roles.ts'
import { type KindName, kindNames, kindTable } from './kinds.ts'

export const access = Object.fromEntries(
  kindNames.map((name) => [name, kindTable[name].access]),
) as Record<KindName, AccessRule>

/** Whether a caller who holds these grants may do this to a thing of this kind. */
export const permits = (kind: KindName, action: Action, held: ReadonlySet<Grant>): boolean =>
  access[kind][action].some((grant) => held.has(grant))
