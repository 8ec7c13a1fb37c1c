import type { DeletionFacts, Obstacle } from '../rules/deletion.ts'
import { BOOT_DISK_STAYS, diskCannot, type DiskStateName, importSteps } from '../rules/disks.ts'
import { instanceCannot, instanceStops } from '../rules/instances.ts'
import { computing } from '../rules/roles.ts'
import type { Kind } from '../rules/kind.ts'

/** What keeps a disk from being deleted: its state, or the instance it is attached to. */
function obstacle({ state, holder, released }: DeletionFacts): Obstacle | undefined {
  if (released && state === 'attached') return undefined
  const reason = diskCannot('delete', state as DiskStateName)
  if (!reason) return undefined
  if (state === importSteps.stop.from) return { reason, steps: ['stop_import', 'finalize'] }
  if (state === importSteps.finalize.from) return { reason, steps: ['finalize'] }
  if (state !== 'attached' || !holder) return { reason, steps: [] }
  if (holder.boots) return { reason: BOOT_DISK_STAYS, steps: [] }
  if (instanceStops(holder.state)) return { reason, steps: ['stop', 'detach'] }
  // An instance that is being made may start before a disk is detached.
  if (holder.state === 'creating') return { reason, steps: [] }
  const stuck = instanceCannot('detachDisk', holder.state)
  return stuck ? { reason: stuck, steps: [] } : { reason, steps: ['detach'] }
}

export const disk = {
  type: 'disk',
  words: 'disk',
  resource: 'disks',
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing disk as an ID project should not be specified',
    neither: 'disk should either be UUID or project should be specified',
  },
  reads: [
    'disk_list',
    'disk_view',
    'instance_disk_list',
    'instance_deletion',
    'disk_deletion',
    'project_deletion',
    'utilization_view',
  ],
  bulk: ['snapshot', 'delete'],
  deletion: {
    inProject: 'disk',
    after: ['instance'],
    along: ['snapshot', 'image'],
    obstacle,
  },
} as const satisfies Kind
