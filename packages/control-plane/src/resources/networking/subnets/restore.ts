import { parseNetwork } from '@steading/api/rules'
import { ApiError } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { CannotRestore, type Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { addSubnetRoute } from '../routers/system-routes.ts'
import { requireFreeBlock } from './blocks.ts'

/** Checks that no other subnet has the blocks of a subnet now, and adds the route to it. */
export async function restoreSubnet(
  { work }: Restoring,
  subnet: Row<'vpc_subnet'>,
): Promise<Row<'vpc_subnet'>> {
  const { db } = work
  for (const block of [subnet.ipv4_block, subnet.ipv6_block]) {
    try {
      await requireFreeBlock(db, subnet.vpc_id, parseNetwork(block)!)
    } catch (error) {
      throw error instanceof ApiError ? new CannotRestore(error.message) : error
    }
  }
  const { system_router_id } = await readRow(db, 'vpc', subnet.vpc_id, 'system_router_id')
  await addSubnetRoute(work, system_router_id, subnet.name)
  return subnet
}
