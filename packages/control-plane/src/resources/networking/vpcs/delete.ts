import { DELETION_RACED, kinds } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { deleteGatewaysOf } from '../internet-gateways/delete.ts'
import { deleteRoutersOf } from '../routers/delete.ts'

/**
 * Deletes a VPC and its contents: routers with their routes, gateways with their pools, firewall
 * rules (control plane 8.1).
 * @throws ApiError 400 while it has subnets
 */
export const deleteVpc = (work: Deleting, vpc: Row<'vpc'>): Promise<void> =>
  keeping(work, 'vpc', vpc, () => removeVpc(work, vpc))

async function removeVpc({ db, now, emit }: Writing, vpc: Row<'vpc'>): Promise<void> {
  const subnet = await db
    .selectFrom('vpc_subnet')
    .select('id')
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (subnet) throw fail.invalidRequest(kinds.vpc.deletion.refusal)

  const time_deleted = now.toISOString()
  const deleted = await db
    .updateTable('vpc')
    .set({ time_deleted })
    .where('id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw fail.invalidRequest(DELETION_RACED)
  await deleteRoutersOf({ db, now }, vpc.id)
  await deleteGatewaysOf({ db, now }, vpc.id)
  await db
    .updateTable('vpc_firewall_rule')
    .set({ time_deleted })
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .execute()
  await emit('vpc', 'delete', vpc)
}
