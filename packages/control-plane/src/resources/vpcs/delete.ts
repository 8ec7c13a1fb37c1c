import { DELETION_RACED, kinds } from '@steading/api/rules'
import { fail } from '../../kernel/errors.ts'
import type { Row } from '../../kernel/kinds.ts'
import type { Writing } from '../../kernel/work.ts'

/**
 * Deletes a VPC and its contents: routers with their routes, gateways with their pools, firewall
 * rules (control plane 8.1).
 * @throws ApiError 400 while it has subnets
 */
export async function deleteVpc({ db, now, emit }: Writing, vpc: Row<'vpc'>): Promise<void> {
  const subnet = await db
    .selectFrom('vpc_subnet')
    .select('id')
    .where('vpc_id', '=', vpc.id)
    .where('time_deleted', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (subnet) throw fail.invalidRequest(kinds.vpc.deletion.refusal)

  const time_deleted = now.toISOString()
  const ended = (table: string) =>
    db
      .updateTable(table as 'vpc_router')
      .set({ time_deleted })
      .where('time_deleted', 'is', null)
  const deleted = await ended('vpc').where('id', '=', vpc.id).returning('id').executeTakeFirst()
  if (!deleted) throw fail.invalidRequest(DELETION_RACED)
  const inside = [
    ['vpc_router', 'router_route', 'vpc_router_id'],
    ['internet_gateway', 'internet_gateway_ip_pool', 'internet_gateway_id'],
  ] as const
  for (const [table, part, parent] of inside) {
    const parents = db.selectFrom(table).select('id').where('vpc_id', '=', vpc.id)
    await ended(part)
      .where(parent as 'id', 'in', parents)
      .execute()
    await ended(table).where('vpc_id', '=', vpc.id).execute()
  }
  await ended('vpc_firewall_rule').where('vpc_id', '=', vpc.id).execute()
  await emit('vpc', 'delete', vpc)
}
