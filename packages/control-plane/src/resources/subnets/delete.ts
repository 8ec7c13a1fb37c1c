import { DELETION_RACED, deletionRefusals } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { VpcSubnetTable } from '../../kernel/db/schema.ts'
import { fail } from '../../kernel/errors.ts'

export type SubnetRow = Selectable<VpcSubnetTable>

/**
 * Deletes a subnet, and with it the route that the system router has to it (control plane 8.2).
 * @throws ApiError 400 as long as interfaces are in it
 */
export async function deleteSubnet({ db, now, emit }: Context, subnet: SubnetRow): Promise<void> {
  const nic = await db
    .selectFrom('network_interface')
    .select('id')
    .where('subnet_id', '=', subnet.id)
    .limit(1)
    .executeTakeFirst()
  if (nic) throw fail.invalidRequest(deletionRefusals.vpc_subnet)

  const time_deleted = now.toISOString()
  const deleted = await db
    .updateTable('vpc_subnet')
    .set({ time_deleted })
    .where('id', '=', subnet.id)
    .where('time_deleted', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw fail.invalidRequest(DELETION_RACED)
  const vpc = await db
    .selectFrom('vpc')
    .select(['system_router_id', 'project_id'])
    .where('id', '=', subnet.vpc_id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('router_route')
    .set({ time_deleted })
    .where('vpc_router_id', '=', vpc.system_router_id)
    .where('kind', '=', 'vpc_subnet')
    .where('target', '=', JSON.stringify({ type: 'subnet', value: subnet.name }))
    .where('time_deleted', 'is', null)
    .execute()
  await emit({
    resource: 'subnets',
    action: 'delete',
    resource_id: subnet.id,
    name: subnet.name,
    project_id: vpc.project_id,
  })
}
