/** A copy of a volume on a physical disk; each distributed disk has three. */
export interface DiskReplicaTable {
  disk_id: string
  physical_disk_id: string
  size: number
  /** `lost`: its physical disk is out of use, and there is no room for another copy yet. */
  state: 'ready' | 'repairing' | 'lost'
  /** Start and end of its copying; null unless it is being repaired. */
  time_started: string | null
  time_repaired: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    disk_replica: DiskReplicaTable
  }
}
