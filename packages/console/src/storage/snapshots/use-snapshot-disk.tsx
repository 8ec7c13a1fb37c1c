import type { Disk } from '@steading/api/client'
import { diskCannotSnapshot, generateName } from '@steading/api/rules'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { showCode } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast, doneToast, errorToast } from '../../ui/toasts.tsx'

/**
 * The row actions that take a snapshot of a disk at once, under a name made from the disk's, and
 * show how.
 * @param announced shows a toast when it has begun, where the page does not show the snapshot
 */
export function useSnapshotDisk(
  project: string,
  { announced = false } = {},
): (disk: Disk) => MenuAction[] {
  const snapshot = useApiAction('snapshotCreate', {
    onSuccess: ({ name }) => {
      void invalidate('snapshotList', 'utilizationView')
      doneToast('Snapshot', name, 'created')
    },
    onError: ({ message }) => errorToast('Failed to create snapshot', message),
  })
  const of = (disk: string) =>
    snapshot({ query: { project }, body: { name: generateName(disk), disk, description: '' } })
  return ({ name: disk, state, diskType, readOnly }) => {
    const disabledReason = diskCannotSnapshot(state.state, diskType, readOnly)
    return [
      {
        label: 'Snapshot',
        calls: 'snapshotCreate',
        disabledReason,
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
          // A failure shows a toast.
          of(disk)
            .action()
            .catch(() => {})
        },
      },
      {
        label: 'Show as code',
        local: true,
        disabledReason,
        onAction: () => showCode({ title: `Snapshot of ${disk}`, code: of(disk).code }),
      },
    ]
  }
}
