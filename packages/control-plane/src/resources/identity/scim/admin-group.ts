import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { adminRole, giveRoles, takeRoles } from '../policies/assignments.ts'

type Group = Pick<Row<'silo_group'>, 'id' | 'display_name' | 'silo_id'>

/**
 * Makes the group with the name of the silo's admin group admin of the silo, and removes that role
 * from a group that had the name before.
 */
export async function setSiloAdmin(
  { db, emit }: Writing,
  group: Group,
  before?: Group,
): Promise<void> {
  const silo = await readRow(db, 'silo', group.silo_id, 'id', 'name', 'admin_group_name')
  const is = group.display_name === silo.admin_group_name
  const was = before !== undefined && before.display_name === silo.admin_group_name
  if (is === was) return
  const role = adminRole(silo.id, group.id)
  await (is ? giveRoles(db, [role]) : takeRoles(db, role))
  await emit('policy', 'update', { id: silo.id, name: silo.name, silo_id: silo.id })
}
