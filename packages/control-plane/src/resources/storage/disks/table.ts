import type { Generated } from 'kysely'
import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { DiskStateName, ImageFormat } from '@steading/api/rules'
import type { Flag, Listed, Reconciled, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface DiskTable extends Listed, SoftDeleted, Reconciled {
  project_id: string
  size: number
  block_size: Wire.BlockSize
  disk_type: Wire.DiskType
  read_only: Flag
  snapshot_id: string | null
  image_id: string | null
  state: DiskStateName
  /** Set in the states attaching, attached and detaching. */
  instance_id: string | null
  /** Order among the disks of the instance. */
  slot: number | null
  /** The disk is made for an import: after `creating` it becomes ready for import, not detached. */
  importing: Flag
  /** The engine holds the bytes of this disk; cleared when they are deleted. */
  has_volume: Flag
  /** The volume has yet to get its size, and a running guest to be told. */
  growing: Flag
  /** The snapshot that the disk is rolled back to; otherwise a disk in maintenance is being moved. */
  rollback_snapshot_id: string | null
  /** The storage pool with its bytes; null for replicas on physical disks. */
  storage_pool_id: Generated<string | null>
  generation: number
}

/** The conversion of an image, at the end of an import into a disk. */
export interface DiskConversionTable {
  disk_id: string
  /** Null until known, and for bytes that stay as they are. */
  format: ImageFormat | null
  percent: number
  done: Flag
  /** Why it failed. */
  problem: string | null
}

/** The move of a disk to another storage pool; it stays after a failure, until the next one. */
export interface DiskMoveTable {
  disk_id: string
  /** The destination, as `disk.storage_pool_id`. */
  storage_pool_id: string | null
  /** Null until the engine has said it. */
  percent: number | null
  /** Why it failed; null while it goes on. */
  problem: string | null
  /** A user has cancelled it; it may still arrive. */
  cancelled: Flag
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    disk: DiskTable
    disk_conversion: DiskConversionTable
    disk_move: DiskMoveTable
  }
}

export const diskTables: StoredTables = {
  disk: {
    marked: true,
    within: { project_id: 'project', instance_id: 'instance' },
    origins: {
      snapshot_id: 'snapshot',
      image_id: 'image',
      rollback_snapshot_id: 'snapshot',
      storage_pool_id: 'storage_pool',
    },
    unfinished: 'has_volume = 1 or reconcile_at is not null or lease_until is not null',
    names: { disk_name: kinds.disk.type },
  },
  disk_conversion: { partOf: { disk_id: 'disk' } },
  disk_move: { partOf: { disk_id: 'disk' }, origins: { storage_pool_id: 'storage_pool' } },
}
