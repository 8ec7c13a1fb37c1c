import type { SnapshotConsistencyName } from '@steading/api/rules'
import type { Flag } from '../../kernel/db/schema.ts'

/**
 * Volumes and snapshots whose bytes are in a block store; only `engines/volumes` writes this table.
 */
export interface VolumeTable {
  id: string
  size: number
  is_snapshot: Flag
  /**
   * Set once it is written to, or if it was made of a volume with bytes; otherwise it is all zeros.
   */
  has_bytes: Flag
  /** The machine that has it. */
  machine_id: string | null
  /** Of a snapshot, once it is complete. */
  consistency: SnapshotConsistencyName | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    volume: VolumeTable
  }
}
