import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Generated, Selectable } from 'kysely'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface SubnetPoolTable extends Listed, SoftDeleted {
  /** All pools are in one list, the fleet's. */
  fleet_id: Generated<string>
  ip_version: Wire.IpVersion
}

/** A network of a pool. No two of them overlap, and none overlaps with a range of an IP pool. */
export interface SubnetPoolMemberTable {
  id: string
  subnet_pool_id: string
  subnet: string
  /** Fixed-width hex, so that text order is address order. */
  first_key: string
  last_key: string
  /** The prefix lengths that subnets of this network may have. */
  min_prefix_length: number
  max_prefix_length: number
  time_created: string
}

export type SubnetPoolMemberRow = Selectable<SubnetPoolMemberTable>

export interface SubnetPoolSiloLinkTable {
  subnet_pool_id: string
  silo_id: string
  is_default: Flag
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    subnet_pool: SubnetPoolTable
    subnet_pool_member: SubnetPoolMemberTable
    subnet_pool_silo_link: SubnetPoolSiloLinkTable
  }
}

export const subnetPoolTables: StoredTables = {
  subnet_pool: {
    marked: true,
    names: { subnet_pool_name: kinds.subnet_pool.type },
  },
  subnet_pool_member: {
    within: { subnet_pool_id: 'subnet_pool' },
  },
  subnet_pool_silo_link: {
    within: { subnet_pool_id: 'subnet_pool', silo_id: 'silo' },
  },
}
