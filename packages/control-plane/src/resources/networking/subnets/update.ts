import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { renameSubnetRoute } from '../routers/system-routes.ts'

/** Renames and describes a subnet, and sets the router for its packets. */
export async function updateSubnet(
  { db, now, emit }: Writing,
  subnet: Row<'vpc_subnet'>,
  { name: wanted, description }: Pick<Wire.VpcSubnetUpdate, 'name' | 'description'>,
  custom_router_id: string | null,
): Promise<Row<'vpc_subnet'>> {
  const name = wanted ?? subnet.name
  const { project_id, system_router_id } = await db
    .selectFrom('vpc')
    .select(['project_id', 'system_router_id'])
    .where('id', '=', subnet.vpc_id)
    .executeTakeFirstOrThrow()
  if (name !== subnet.name) {
    await requireFreeName(db, 'vpc_subnet', subnet.vpc_id, name)
    await renameSubnetRoute({ db, now }, system_router_id, { from: subnet.name, to: name })
  }
  const updated = {
    ...subnet,
    ...named(name),
    description: description ?? subnet.description,
    custom_router_id,
    time_modified: now.toISOString(),
  }
  await db.updateTable('vpc_subnet').set(updated).where('id', '=', subnet.id).execute()
  await emit('vpc_subnet', 'update', { ...updated, project_id })
  return updated
}
