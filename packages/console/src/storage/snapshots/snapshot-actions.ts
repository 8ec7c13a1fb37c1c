import { snapshotCannotDelete } from '@steading/api/rules'
import { pathTo } from '../../data/addresses.ts'
import { whenReread } from '../../data/api.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useSnapshotRollBack } from '../disks/disk-changes.tsx'
import type { SnapshotRow } from './queries.ts'

/** The actions of a snapshot, in its row and in the palette. */
export function useSnapshotActions(project: string): (snapshot: SnapshotRow) => MenuAction[] {
  const remove = useApiAction('snapshotDelete', {
    onSuccess: whenReread,
  })
  const deletion = useDeletion()
  const rollBack = useSnapshotRollBack(project)
  return ({ id, name, state, diskId }) => [
    {
      label: 'Create image',
      calls: 'imageCreate',
      disabledReason: state === 'ready' ? undefined : 'Only ready snapshots can become images',
      href: pathTo('/projects/$project/snapshots/$snapshot/images-new', {
        project,
        snapshot: name,
      }),
    },
    ...rollBack({ id, diskId, state }),
    deletion({
      kind: 'snapshot',
      id,
      name,
      project,
      cannot: snapshotCannotDelete(state),
      extra: 'Disks and images made from it are kept.',
      ...remove({ path: { snapshot: name }, query: { project } }),
    }),
  ]
}
