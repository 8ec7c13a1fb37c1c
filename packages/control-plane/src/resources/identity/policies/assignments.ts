/** Assigns and removes roles; nothing else writes role assignments. */
import type { Db, Ids } from '../../../kernel/db/database.ts'
import type { RoleAssignmentTable } from './table.ts'

/** Assigns roles. An identity that has a role already keeps it. */
export async function giveRoles(db: Db, roles: readonly RoleAssignmentTable[]): Promise<void> {
  if (roles.length === 0) return
  await db
    .insertInto('role_assignment')
    .values([...roles])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The role of a group whose members are the admins of a silo. */
export const adminRole = (siloId: string, groupId: string): RoleAssignmentTable => ({
  resource_type: 'silo',
  resource_id: siloId,
  identity_type: 'silo_group',
  identity_id: groupId,
  role_name: 'admin',
})

type Which = Partial<Omit<RoleAssignmentTable, 'identity_id'>> & { identity_id?: string | Ids }

/**
 * Removes all role assignments with these values.
 * @returns the resources they were on
 */
export function takeRoles(
  db: Db,
  which: Which,
): Promise<Pick<RoleAssignmentTable, 'resource_type' | 'resource_id'>[]> {
  const { identity_id: identity, ...values } = which
  let query = db.deleteFrom('role_assignment').returning(['resource_type', 'resource_id'])
  for (const [column, value] of Object.entries(values)) {
    query = query.where(column as keyof typeof values, '=', value)
  }
  if (identity !== undefined) {
    query =
      typeof identity === 'string'
        ? query.where('identity_id', '=', identity)
        : query.where('identity_id', 'in', identity as readonly string[])
  }
  return query.execute()
}
