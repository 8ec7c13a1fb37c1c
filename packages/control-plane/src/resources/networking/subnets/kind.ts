import { kinds, deletionSentences, restoreMessages, parseNetwork } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { pick } from '../../../kernel/pick.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { CannotRestore, type Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { addSubnetRoute } from '../routers/system-routes.ts'
import { deleteSubnet } from './delete.ts'
import { requireFreeBlock } from './blocks.ts'

export interface VpcSubnetTable extends Listed, SoftDeleted {
  vpc_id: string
  ipv4_block: string
  ipv6_block: string
  /** Keys of the first and the last address of each block. */
  ipv4_first: string
  ipv4_last: string
  ipv6_first: string
  ipv6_last: string
  custom_router_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc_subnet: VpcSubnetTable
  }
}

export const toWireSubnet = (row: Row<'vpc_subnet'>): Wire.VpcSubnet => ({
  ...identityOf(row),
  ...pick(row, 'vpc_id', 'ipv4_block', 'ipv6_block', 'custom_router_id'),
})

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

export const vpc_subnet: StoredKind<'vpc_subnet'> = {
  tables: {
    vpc_subnet: {
      marked: true,
      within: { vpc_id: 'vpc', custom_router_id: 'vpc_router' },
      names: { vpc_subnet_name: kinds.vpc_subnet.type },
    },
  },
  live: 'time_deleted is null',
  search: searchOf('vpc_subnet_search', {
    searched: [...described, 'ipv4_block', 'ipv6_block'],
    sorts: {
      ...usualSorts,
      // Sorted as addresses, not as texts.
      ipv4_block: { ...text('ipv4_first'), unique: true },
      ipv6_block: { ...text('ipv6_first'), unique: true },
    },
    filters: {},
    toWire: each(toWireSubnet),
  }),
  steps: {
    delete: stepOn('vpc_subnet', 'vpc_subnet_delete', deleteSubnet),
  },
  restoration: {},
  restoredRows: { vpc_subnet: restoreSubnet },
  restoredWithout: { custom_router_id: restoreMessages.noRouter },
  deletion: {
    columns: { vpc_id: 'vpc_id' },
    detail: sql<string>`its.ipv4_block`,
    keptBy: sql`select subnet_id as id, instance_id from network_interface`,
  },
  relations: [
    {
      owner: 'vpc_router',
      relation: 'stays',
      pairs: sql`select id, custom_router_id as owner_id from vpc_subnet`,
      reason: deletionSentences.leftToSystemRouter,
      detail: sql`its.ipv4_block`,
    },
  ],
}
