import type { Writing } from '../../kernel/work.ts'
import './table.ts'

/** Deletes the gateways of a VPC that is deleted, with what is attached to them. */
export async function deleteGatewaysOf(
  { db, now }: Pick<Writing, 'db' | 'now'>,
  vpcId: string,
): Promise<void> {
  const time_deleted = now.toISOString()
  const gateways = db.selectFrom('internet_gateway').select('id').where('vpc_id', '=', vpcId)
  await db
    .updateTable('internet_gateway_ip_pool')
    .set({ time_deleted })
    .where('internet_gateway_id', 'in', gateways)
    .where('time_deleted', 'is', null)
    .execute()
  await db
    .updateTable('internet_gateway')
    .set({ time_deleted })
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .execute()
}
