import type { Disk } from '@steading/api/client'
import { diskCannot } from '@steading/api/rules'
import { pathTo } from '../../data/addresses.ts'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { isAbandonedImport, useAbandonedImportActions } from '../images/abandoned-imports.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useSnapshotDisk } from '../snapshots/use-snapshot-disk.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useDiskChanges } from './disk-changes.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { doneToast } from '../../ui/toasts.tsx'

const AttachToInstance = lazyPart(() => import('./attach-to-instance.tsx'))

type DiskActions = {
  snapshot: MenuAction[]
  changes: MenuAction[]
  attach: MenuAction
  remove: MenuAction[]
}

/**
 * The actions of a disk in groups, which its row and its page arrange differently.
 * @param onDeleted leaves the page of the disk
 */
export function useDiskActionParts(
  project: string,
  onDeleted?: () => Promise<unknown>,
): (disk: Disk) => DiskActions {
  const remove = useApiAction('diskDelete', {
    onSuccess: async (_, { path }) => {
      doneToast('Disk', path.disk, 'deleted')
      await onDeleted?.()
    },
  })
  const snapshotActions = useSnapshotDisk(project, { announced: true })
  const changes = useDiskChanges(project)
  const abandonedImportActions = useAbandonedImportActions(project)
  const deletion = useDeletion()
  const deleteAction = ({ id, name, state }: Disk): MenuAction =>
    deletion({
      kind: 'disk',
      id,
      name,
      project,
      cannot: diskCannot('delete', state.state),
      lost: 'Its data is deleted for good.',
      extra: 'Snapshots and images made from it are kept.',
      leaveTo: onDeleted && pathTo('/projects/$project/disks', { project }),
      ...remove({ path: { disk: name }, query: { project } }),
    })
  return (disk) => ({
    snapshot: snapshotActions(disk),
    changes: changes(disk),
    attach: {
      label: 'Attach to instance',
      calls: 'instanceDiskAttach',
      disabledReason: diskCannot('attach', disk.state.state),
      onAction: () =>
        openDialog((onDismiss) => (
          <AttachToInstance project={project} disk={disk} onDismiss={onDismiss} />
        )),
    },
    remove: isAbandonedImport(disk) ? abandonedImportActions(disk) : [deleteAction(disk)],
  })
}

/** The actions of a disk, in its row and in the palette. */
export function useDiskActions(project: string): (disk: Disk) => MenuAction[] {
  const partsOf = useDiskActionParts(project)
  return (disk) => {
    const { snapshot, changes, attach, remove } = partsOf(disk)
    return [...snapshot, ...changes, attach, ...remove]
  }
}
