import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { MulticastGroupState, MulticastMemberState } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Listed, Reconciled } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** A removed group has no row. */
export interface MulticastGroupTable extends Listed, Reconciled {
  /** All groups are in one list, the fleet's. */
  fleet_id: Generated<string>
  multicast_ip: string
  /** Fixed-width hex, so that text order is address order. */
  ip_key: string
  ip_version: 'v4' | 'v6'
  ip_pool_id: string
  state: MulticastGroupState
  /** Rises whenever its members or their sources change. */
  generation: number
}

export interface MulticastGroupMemberTable {
  id: string
  group_id: string
  instance_id: string
  /** JSON; none means any. */
  source_ips: string
  /** Its state in the engine, as last seen by the reconciler. */
  state: MulticastMemberState
  time_created: string
  time_modified: string
}

export const sourceIps = jsonColumn<string[]>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    multicast_group: MulticastGroupTable
    multicast_group_member: MulticastGroupMemberTable
  }
}

export const multicastGroupTables: StoredTables = {
  multicast_group: {
    within: { ip_pool_id: 'ip_pool' },
    names: {
      multicast_group_name: kinds.multicast_group.type,
      multicast_group_by_name_key: kinds.multicast_group.type,
    },
  },
  multicast_group_member: {
    noun: 'multicast group membership',
    within: { group_id: 'multicast_group', instance_id: 'instance' },
  },
}
