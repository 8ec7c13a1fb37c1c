import type { Flag } from '../../kernel/db/schema.ts'

/** Volumes and snapshots whose bytes a block store has; written by `engines/volumes` only. */
export interface VolumeTable {
  id: string
  size: number
  is_snapshot: Flag
  /** It has been written to, or made of something that was; else it is all zeros. */
  has_bytes: Flag
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    volume: VolumeTable
  }
}
