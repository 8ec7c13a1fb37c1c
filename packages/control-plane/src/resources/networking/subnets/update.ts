import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { changeNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { renameSubnetRoute } from '../routers/system-routes.ts'

/** Renames and describes a subnet, and sets the router for its packets. */
export async function updateSubnet(
  work: Writing,
  subnet: Row<'vpc_subnet'>,
  { name: wanted, description }: Pick<Wire.VpcSubnetUpdate, 'name' | 'description'>,
  custom_router_id: string | null,
): Promise<Row<'vpc_subnet'>> {
  const { db } = work
  const name = wanted ?? subnet.name
  const { project_id, system_router_id } = await readRow(
    db,
    'vpc',
    subnet.vpc_id,
    'project_id',
    'system_router_id',
  )
  if (name !== subnet.name) {
    await requireFreeName(db, 'vpc_subnet', subnet.vpc_id, name)
    await renameSubnetRoute(work, system_router_id, { from: subnet.name, to: name })
  }
  return changeNamed(
    work,
    'vpc_subnet',
    subnet,
    { name, description },
    { custom_router_id },
    { project_id },
  )
}
