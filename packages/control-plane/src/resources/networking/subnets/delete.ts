import { DELETION_RACED, kinds } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { closeSubnet, isInhabited } from '../network-interfaces/subnet-addresses.ts'
import { removeSubnetRoute } from '../routers/system-routes.ts'

/**
 * Deletes a subnet, and the system router's route to it (control plane 8.2).
 * @throws ApiError 400 while interfaces are in it
 */
export const deleteSubnet = (work: Deleting, subnet: Row<'vpc_subnet'>): Promise<void> =>
  keeping(work, 'vpc_subnet', subnet, () => removeSubnet(work, subnet))

async function removeSubnet({ db, now, emit }: Writing, subnet: Row<'vpc_subnet'>): Promise<void> {
  if (await isInhabited(db, subnet.id)) throw fail.invalidRequest(kinds.vpc_subnet.deletion.refusal)

  const time_deleted = now.toISOString()
  const deleted = await db
    .updateTable('vpc_subnet')
    .set({ time_deleted })
    .where('id', '=', subnet.id)
    .where('time_deleted', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw fail.invalidRequest(DELETION_RACED)
  const vpc = await readRow(db, 'vpc', subnet.vpc_id, 'system_router_id', 'project_id')
  await removeSubnetRoute({ db, now }, vpc.system_router_id, subnet.name)
  await closeSubnet(db, subnet.id)
  await emit('vpc_subnet', 'delete', { ...subnet, project_id: vpc.project_id })
}
