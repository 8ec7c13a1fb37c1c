import type { MoveCause, MoveState } from '@steading/api/rules'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/**
 * A move of an instance. It begins and ends in the transactions that change the instance, whose
 * `migration_id` it has as its id.
 */
export interface InstanceMoveTable {
  id: string
  instance_id: string
  from_sled_id: string
  to_sled_id: string
  cause: MoveCause
  /** Set for the cause `maintenance`. It may have ended since. */
  maintenance_id: string | null
  /** The operator behind it, with the name at the time; null for an update. */
  user_name: string | null
  state: MoveState
  reason: string | null
  /** The operator who has cancelled it, with the name at the time. */
  cancelled_by: string | null
  /** How far it is; null until the engine says it. Bytes, and bytes per second. */
  bytes_total: number | null
  bytes_processed: number | null
  bytes_remaining: number | null
  bytes_per_second: number | null
  /** When that was written. */
  time_progress: string | null
  time_started: string
  time_finished: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    instance_move: InstanceMoveTable
  }
}

export const instanceMoveTables: StoredTables = {
  instance_move: {
    partOf: { instance_id: 'instance' },
    within: { from_sled_id: 'sled', to_sled_id: 'sled' },
  },
}
