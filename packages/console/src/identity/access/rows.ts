import { useMemo } from 'react'
import { type NamedIdentity, useNames } from './names.ts'
import { type Level, type Policy, type Role, rolesOf, strongest } from './policies.ts'

/** A user or group with its roles. */
export type AccessRow = NamedIdentity & {
  /** The name was found; otherwise the id replaces it. */
  resolved: boolean
  /** Strongest role first; among equal ones, the outer level's. */
  roles: { level: Level; role: Role }[]
}

type Source = {
  level: Level
  policy: Policy | undefined
  /** Silo of the users and groups, if it is not the user's own. */
  silo?: string
}

const isStronger = (a: Role, b: Role) => a !== b && strongest([a, b]) === a

/** A row for each identity of some policies: groups, then users, by name. */
function rowsOf(
  sources: readonly Source[],
  names: ReadonlyMap<string, NamedIdentity>,
): AccessRow[] {
  const rows = new Map<string, AccessRow>()
  for (const { level, policy } of sources) {
    for (const [id, { identityType: type, role }] of rolesOf(policy!)) {
      const named = names.get(id)
      const row = rows.get(id) ?? {
        ...(named ?? { id, name: id, type }),
        resolved: named !== undefined,
        roles: [],
      }
      row.roles.push({ level, role })
      rows.set(id, row)
    }
  }
  for (const { roles } of rows.values()) {
    roles.sort((a, b) => (isStronger(a.role, b.role) ? -1 : isStronger(b.role, a.role) ? 1 : 0))
  }
  return [...rows.values()].sort((a, b) =>
    a.type === b.type ? a.name.localeCompare(b.name) : a.type === 'silo_group' ? -1 : 1,
  )
}

/** @param outer policy of the level above, whose roles also apply */
export function useAccessRows(own: Source, outer?: Source): AccessRow[] | undefined {
  const { level, policy } = own
  const outerLevel = outer?.level
  const outerPolicy = outer?.policy
  const ids = [policy, outerPolicy].flatMap(
    (each) => each?.roleAssignments.map(({ identityId }) => identityId) ?? [],
  )
  const names = useNames(ids, own.silo)
  return useMemo(() => {
    if (!policy || !names || (outerLevel && !outerPolicy)) return undefined
    const above = outerLevel ? [{ level: outerLevel, policy: outerPolicy }] : []
    return rowsOf([...above, { level, policy }], names)
  }, [level, policy, outerLevel, outerPolicy, names])
}
