import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Generated } from 'kysely'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface IpPoolTable extends Listed, SoftDeleted {
  /** All pools are in one list, the fleet's. */
  fleet_id: Generated<string>
  ip_version: Wire.IpVersion
  pool_type: Wire.IpPoolType
  assignment: Generated<Wire.IpPoolAssignment>
  /** Addresses in use, each counted once however many share it. */
  allocated: Generated<number>
}

export interface IpPoolRangeTable {
  id: string
  ip_pool_id: string
  /** Fixed-width hex, so that text order is address order. */
  first_key: string
  last_key: string
  time_created: string
}

export interface IpPoolSiloLinkTable {
  ip_pool_id: string
  silo_id: string
  is_default: Flag
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    ip_pool: IpPoolTable
    ip_pool_range: IpPoolRangeTable
    ip_pool_silo_link: IpPoolSiloLinkTable
  }
}

export const ipPoolTables: StoredTables = {
  ip_pool: {
    marked: true,
    names: { ip_pool_name: kinds.ip_pool.type },
  },
  ip_pool_range: {
    within: { ip_pool_id: 'ip_pool' },
  },
  ip_pool_silo_link: {
    within: { ip_pool_id: 'ip_pool', silo_id: 'silo' },
  },
}
