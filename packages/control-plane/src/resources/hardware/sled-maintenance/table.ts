import type { ProvisionPolicy, UnmovableChoice } from '@steading/api/rules'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/**
 * The maintenance of a sled, removed when it ends. That nothing is placed on the sled is its
 * provision policy, as without maintenance.
 */
export interface SledMaintenanceTable extends Reconciled {
  id: string
  sled_id: string
  reason: string
  time_end: string | null
  unmovable: UnmovableChoice
  paused: Flag
  /** The provision policy that the sled gets back. */
  policy_before: ProvisionPolicy
  /** The operator who began it, with the name and the silo at the time. */
  user_id: string
  user_name: string
  user_silo_id: string
  time_begun: string
}

/** An instance that could not move: it is still on the sled, or was stopped for the maintenance. */
export interface SledMaintenanceInstanceTable {
  maintenance_id: string
  instance_id: string
  state: 'impossible' | 'stopped'
  /** Why it could not move. */
  reason: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    sled_maintenance: SledMaintenanceTable
    sled_maintenance_instance: SledMaintenanceInstanceTable
  }
}

export const sledMaintenanceTables: StoredTables = {
  sled_maintenance: {
    times: { time_end: { mayBeAhead: 'the end that its author expects' } },
    within: { sled_id: 'sled' },
    origins: { user_id: 'silo_user', user_silo_id: 'silo' },
  },
  sled_maintenance_instance: {
    partOf: { maintenance_id: 'sled_maintenance', instance_id: 'instance' },
  },
}
