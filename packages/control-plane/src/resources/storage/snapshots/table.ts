import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { SnapshotConsistencyName, SnapshotStateName } from '@steading/api/rules'
import type { Generated } from 'kysely'
import type { Flag, Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface SnapshotTable extends Listed, SoftDeleted, Reconciled {
  project_id: string
  disk_id: string
  size: number
  block_size: Wire.BlockSize
  state: SnapshotStateName
  /** Null until it is taken, and of snapshots of earlier versions. */
  consistency: SnapshotConsistencyName | null
  /** The engine holds its bytes: until the snapshot and all images made of it are deleted. */
  has_volume: Generated<Flag>
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    snapshot: SnapshotTable
  }
}

export const snapshotTables: StoredTables = {
  snapshot: {
    marked: true,
    within: { project_id: 'project' },
    origins: { disk_id: 'disk' },
    unfinished: 'has_volume = 1 or reconcile_at is not null or lease_until is not null',
    names: { snapshot_name: kinds.snapshot.type },
  },
}
