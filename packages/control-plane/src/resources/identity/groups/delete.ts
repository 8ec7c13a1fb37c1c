import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { groupChanged } from './create.ts'

/**
 * Deletes a group and its memberships. Role assignments stay, without effect (control plane 3.3);
 * for identity providers, which remove them, the caller also calls `removeAssignments`.
 */
export async function deleteGroup(writing: Writing, group: Row<'silo_group'>): Promise<void> {
  const { db, now } = writing
  await db.deleteFrom('silo_group_membership').where('group_id', '=', group.id).execute()
  await changeRow(db, 'silo_group', group.id, { time_deleted: now.toISOString() })
  await groupChanged(writing, group, 'delete')
}
