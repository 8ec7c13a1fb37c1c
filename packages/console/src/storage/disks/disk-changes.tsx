import type { Disk, Instance, Snapshot } from '@steading/api/client'
import {
  diskCannotGrow,
  diskCannotMove,
  diskCannotRollBack,
  instanceCannot,
} from '@steading/api/rules'
import { useCapability } from '../../data/capabilities.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { usePoolChoices } from '../storage-pools/choices.ts'

const GrowModal = lazyPart(() => import('./grow-modal.tsx'))
const MoveModal = lazyPart(() => import('../storage-pools/move-modal.tsx'))
const rollBacks = () => import('./roll-back-modals.tsx')
const DiskRollBackModal = lazyPart(async () => ({ default: (await rollBacks()).DiskRollBackModal }))
const InstanceRollBackModal = lazyPart(async () => ({
  default: (await rollBacks()).InstanceRollBackModal,
}))

const CONSEQUENCE = 'A snapshot of the present contents is taken first.'

/** The menu item that moves a disk; none if there is only one pool. */
export function useDiskMoves(project: string): (disk: Disk) => MenuAction[] {
  const hasChoice = usePoolChoices(project).length > 0
  return (disk) => {
    if (!hasChoice) return []
    return [
      {
        label: 'Move to storage pool',
        calls: 'diskMove',
        disabledReason: diskCannotMove(disk.state.state, disk.readOnly),
        onAction: () =>
          openDialog((close) => <MoveModal project={project} disk={disk} onDismiss={close} />),
      },
    ]
  }
}

/** The menu items that make a disk larger, roll it back to a snapshot, and move it. */
export function useDiskChanges(project: string): (disk: Disk) => MenuAction[] {
  const grows = useCapability('diskGrowth')
  const rollsBack = useCapability('rollBacks')
  const moves = useDiskMoves(project)
  return (disk) =>
    [
      grows && {
        label: 'Grow',
        calls: 'diskGrow',
        disabledReason: diskCannotGrow(disk.state.state, disk.readOnly),
        onAction: () =>
          openDialog((close) => <GrowModal project={project} disk={disk} onDismiss={close} />),
      },
      rollsBack && {
        label: 'Roll back',
        calls: 'diskRollBack',
        consequence: CONSEQUENCE,
        disabledReason: diskCannotRollBack(disk.state.state, disk.diskType, disk.readOnly),
        onAction: () =>
          openDialog((close) => (
            <DiskRollBackModal project={project} diskId={disk.id} onDismiss={close} />
          )),
      },
      ...moves(disk),
    ].filter((action) => action !== false && action !== undefined)
}

/** The menu item that rolls the disk of a snapshot back to it. */
export function useSnapshotRollBack(
  project: string,
): (snapshot: Pick<Snapshot, 'id' | 'diskId' | 'state'>) => MenuAction[] {
  const rollsBack = useCapability('rollBacks')
  return (snapshot) =>
    rollsBack
      ? [
          {
            label: 'Roll back disk',
            calls: 'diskRollBack',
            consequence: CONSEQUENCE,
            disabledReason:
              snapshot.state === 'ready' ? undefined : 'Only ready snapshots can be rolled back to',
            onAction: () =>
              openDialog((close) => (
                <DiskRollBackModal
                  project={project}
                  diskId={snapshot.diskId}
                  snapshot={snapshot}
                  onDismiss={close}
                />
              )),
          },
        ]
      : []
}

/** The menu item that rolls the disks of an instance back. */
export function useInstanceRollBack(project: string): (instance: Instance) => MenuAction[] {
  const rollsBack = useCapability('rollBacks')
  return (instance) =>
    rollsBack
      ? [
          {
            label: 'Roll back',
            calls: 'instanceRollBack',
            consequence: CONSEQUENCE,
            disabledReason: instanceCannot('rollBack', instance.runState),
            onAction: () =>
              openDialog((close) => (
                <InstanceRollBackModal project={project} instance={instance} onDismiss={close} />
              )),
          },
        ]
      : []
}
