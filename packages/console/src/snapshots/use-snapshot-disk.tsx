import type { Disk } from '@steading/api/client'
import { diskCannotSnapshot, generateName } from '@steading/api/rules'
import { invalidate, useApiMutation } from '../data/api.ts'
import type { MenuAction } from '../ui/menu.tsx'
import { addToast, errorToast } from '../ui/toasts.tsx'

/**
 * The row action that takes a snapshot of a disk at once, under a name made from the disk's.
 * @param announced says that it has begun, where the page does not show it
 */
export function useSnapshotDisk(
  project: string,
  { announced = false } = {},
): (disk: Disk) => MenuAction {
  const { mutate: takeSnapshot } = useApiMutation('snapshotCreate', {
    onSuccess: ({ name }) => {
      void invalidate('snapshotList', 'utilizationView')
      addToast({
        content: (
          <>
            Snapshot <b>{name}</b> created
          </>
        ),
      })
    },
    onError: ({ message }) => errorToast('Failed to create snapshot', message),
  })
  return ({ name: disk, state, diskType, readOnly }) => ({
    label: 'Snapshot',
    disabledReason: diskCannotSnapshot(state.state, diskType, readOnly),
    onAction: () => {
      if (announced) {
        addToast({
          content: (
            <>
              Creating snapshot of disk <b>{disk}</b>
            </>
          ),
        })
      }
      takeSnapshot({
        query: { project },
        body: { name: generateName(disk), disk, description: '' },
      })
    },
  })
}
