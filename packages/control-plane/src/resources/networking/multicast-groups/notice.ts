import { type InstanceState, desiredMulticastState } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { changeRow } from '../../../kernel/db/rows.ts'

/**
 * Makes the groups of an instance due, if its change of state means that it begins or stops
 * receiving.
 * @returns whether any is due
 */
export async function noteState(
  db: Db,
  now: Date,
  instance: { id: string; run_state: InstanceState },
  next: InstanceState | undefined,
): Promise<boolean> {
  if (!next || desiredMulticastState(instance.run_state) === desiredMulticastState(next))
    return false
  // In the order of their ids, so that transactions do not deadlock.
  const groups = await db
    .selectFrom('multicast_group_member')
    .select('group_id')
    .where('instance_id', '=', instance.id)
    .orderBy('group_id')
    .execute()
  for (const { group_id } of groups) {
    await changeRow(db, 'multicast_group', group_id, { reconcile_at: now.toISOString() })
  }
  return groups.length > 0
}
