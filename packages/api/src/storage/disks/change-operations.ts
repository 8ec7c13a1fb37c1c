import { array, list, NameOrId, record } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'
import { INSTANCE_MAX_DISKS } from '../../compute/instances/rules.ts'
import { Snapshot } from '../snapshots/operations.ts'
import { Disk, DiskGrow, DiskRollBack } from './schemas.ts'

/** A disk that is being rolled back. */
const RolledBackDisk = record('RolledBackDisk', {
  disk: Disk,
  /** Holds the contents from before; rolling back to it undoes the rollback. */
  before: Snapshot,
})

const InstanceRollBack = record('InstanceRollBack', {
  /** Ready snapshots of attached disks, at most one of each disk; the other disks stay as they are. */
  snapshots: array(NameOrId, INSTANCE_MAX_DISKS, { minItems: 1 }),
})
const RolledBackInstance = record('RolledBackInstance', { disks: list(RolledBackDisk) })

/** Growing disks, and rolling them back to snapshots. */
export const diskChangeOperations = {
  ...usual('disk', { item: Disk })({
    /**
     * The answer has the new size, which counts against the quota from then on. The volume follows
     * soon after, and a running guest sees it; its partitions and file systems stay as they are.
     */
    disk_grow: {
      route: 'POST grow',
      extension: true,
      summary: 'Make a disk larger, also while its instance runs',
      body: DiskGrow,
    },
    /**
     * Takes a snapshot of the present contents first. A disk that has grown since keeps its size, and
     * reads as zeros past the end of the snapshot. Until the rollback is done, the disk is in state
     * `maintenance`.
     */
    disk_roll_back: {
      route: 'POST roll-back',
      extension: true,
      summary: 'Roll a disk back to one of its snapshots',
      permission: { disk: 'modify', snapshot: 'read', project: 'create' },
      body: DiskRollBack,
      answer: RolledBackDisk,
      changes: ['snapshot'],
    },
  }),
  ...usual('instance')({
    /** As `disk_roll_back`, for some disks of a stopped or failed instance at once. */
    instance_roll_back: {
      route: 'POST roll-back',
      extension: true,
      summary: 'Roll disks of an instance back to their snapshots',
      permission: { instance: 'modify', disk: 'modify', snapshot: 'read', project: 'create' },
      body: InstanceRollBack,
      answer: RolledBackInstance,
      changes: ['snapshot'],
    },
  }),
}
