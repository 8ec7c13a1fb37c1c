import type { Disk } from '@steading/api/client'
import { diskCannot } from '@steading/api/rules'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { isAbandonedImport, useAbandonedImportActions } from '../images/abandoned-imports.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useSnapshotDisk } from '../snapshots/use-snapshot-disk.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'

/** The actions of a disk, in its row and in the palette. */
export function useDiskActions(project: string): (disk: Disk) => MenuAction[] {
  const remove = useApiAction('diskDelete', {
    onSuccess: (_, { path }) => {
      doneToast('Disk', path.disk, 'deleted')
    },
  })
  const snapshotActions = useSnapshotDisk(project, { announced: true })
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
      ...remove({ path: { disk: name }, query: { project } }),
    })
  return (disk) => [
    ...snapshotActions(disk),
    ...(isAbandonedImport(disk) ? abandonedImportActions(disk) : [deleteAction(disk)]),
  ]
}
