import {
  type DeletionFacts,
  deletionSentences,
  type Holder,
  type Obstacle,
} from '../../workspace/deletion/rules.ts'
import {
  BOOT_DISK_STAYS,
  diskCannot,
  type DiskStateName,
  diskStates,
  IMAGE_ARRIVES,
  importSteps,
} from './rules.ts'
import { instanceActions, instanceCannot, instanceStops } from '../../compute/instances/rules.ts'
import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

/** Obstacle to deleting a disk: its state, or the instance it is attached to. */
function obstacle({ state, holder, released }: DeletionFacts): Obstacle | undefined {
  if (released && state === 'attached') return undefined
  const reason = diskCannot('delete', state as DiskStateName)
  if (!reason) return undefined
  const importOpen = `${deletionSentences.importOpen}. ${reason}`
  if (state === importSteps.stop.from) {
    return { reason, explanation: importOpen, steps: ['stop_import', 'finalize'] }
  }
  if (state === importSteps.download.to) return { reason, explanation: IMAGE_ARRIVES, steps: [] }
  if (state === importSteps.finalize.from)
    return { reason, explanation: importOpen, steps: ['finalize'] }
  if (state !== 'attached' || !holder) return { reason, steps: [] }
  return { held: true, ...obstacleOf(holder, reason) }
}

/** Obstacle to deleting an attached disk. */
function obstacleOf({ state, boots }: Holder, attached: string): Obstacle {
  const reason = boots ? BOOT_DISK_STAYS : attached
  const free = boots ? (['unset_boot_disk', 'detach'] as const) : (['detach'] as const)
  const needed = boots ? 'updateBootDisk' : 'detachDisk'
  if (instanceStops(state)) {
    const explanation = `${reason}. ${instanceActions[needed].otherwise}`
    return { reason, explanation, steps: ['stop', ...free] }
  }
  // An instance that is being created may start before a disk is detached.
  if (state === 'creating') return { reason, steps: [] }
  const stuck = instanceCannot(needed, state) ?? instanceCannot('detachDisk', state)
  return stuck ? { reason: stuck, steps: [] } : { reason, steps: free }
}

export const disk = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing disk as an ID project should not be specified',
    neither: 'disk should either be UUID or project should be specified',
  },
  listed: true,
  reads: [
    'issue_list',
    'instance_disk_list',
    'instance_clone_view',
    'instance_deletion',
    'project_deletion',
    'utilization_view',
    'disk_storage_view',
  ],
  bulk: ['snapshot', 'delete'],
  deletion: {
    inProject: 'disk',
    after: ['instance'],
    cascades: ['snapshot', 'image'],
    holdsData: true,
    states: diskStates,
    obstacle,
  },
} as const satisfies Kind
