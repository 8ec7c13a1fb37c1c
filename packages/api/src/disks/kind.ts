import { type DeletionFacts, deletionSentences, type Obstacle } from '../rules/deletion.ts'
import {
  BOOT_DISK_STAYS,
  diskCannot,
  type DiskStateName,
  diskStates,
  importSteps,
} from '../rules/disks.ts'
import { instanceActions, instanceCannot, instanceStops } from '../rules/instances.ts'
import { computing } from '../rules/roles.ts'
import type { Kind } from '../rules/kind.ts'

/** What keeps a disk from being deleted: its state, or the instance it is attached to. */
function obstacle({ state, holder, released }: DeletionFacts): Obstacle | undefined {
  if (released && state === 'attached') return undefined
  const reason = diskCannot('delete', state as DiskStateName)
  if (!reason) return undefined
  const importOpen = `${deletionSentences.importOpen}. ${reason}`
  if (state === importSteps.stop.from) {
    return { reason, told: importOpen, steps: ['stop_import', 'finalize'] }
  }
  if (state === importSteps.finalize.from) return { reason, told: importOpen, steps: ['finalize'] }
  if (state !== 'attached' || !holder) return { reason, steps: [] }
  const held = true
  if (holder.boots) return { held, reason: BOOT_DISK_STAYS, steps: [] }
  if (instanceStops(holder.state)) {
    const told = `${reason}. ${instanceActions.detachDisk.otherwise}`
    return { held, reason, told, steps: ['stop', 'detach'] }
  }
  // An instance that is being made may start before a disk is detached.
  if (holder.state === 'creating') return { held, reason, steps: [] }
  const stuck = instanceCannot('detachDisk', holder.state)
  return stuck ? { held, reason: stuck, steps: [] } : { held, reason, steps: ['detach'] }
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
    states: diskStates,
    obstacle,
  },
} as const satisfies Kind
