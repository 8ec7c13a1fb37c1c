import type { CloneStateName } from '@steading/api/rules'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** The making of an instance from another one. */
export interface InstanceCloneTable extends Reconciled {
  id: string
  /** The new instance. */
  instance_id: string
  /** The new name, for the issues of operators. */
  name: string
  /** Project of the new instance. */
  project_id: string
  source_id: string
  /** At the time of the clone. */
  source_name: string
  source_project_id: string
  user_name: string
  state: CloneStateName
  reason: string | null
  time_started: string
  time_finished: string | null
}

/** A disk of a clone. */
export interface InstanceCloneDiskTable {
  clone_id: string
  disk_id: string
  /** The snapshot of which it is made; null for an empty disk, and one of an image. */
  snapshot_id: string | null
  /** The snapshot was taken for the clone, and is deleted afterwards. */
  temporary: Flag
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    instance_clone: InstanceCloneTable
    instance_clone_disk: InstanceCloneDiskTable
  }
}

export const instanceCloneTables: StoredTables = {
  // Not a part of the instance: the row of a deleted instance stays until the snapshots are gone.
  instance_clone: { origins: { instance_id: 'instance', project_id: 'project' } },
  instance_clone_disk: { partOf: { clone_id: 'instance_clone' } },
}
