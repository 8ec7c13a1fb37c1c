import type { Disk, Snapshot } from '@steading/api/client'
import { diskCannotSnapshot, generateName, snapshotConsistencyText } from '@steading/api/rules'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { queryClient } from '../../data/api.ts'
import { showCode } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast, doneToast, errorToast } from '../../ui/toasts.tsx'
import { snapshotDetailsQuery, type SnapshotRow } from './queries.ts'

/** Shows a toast about a new snapshot, with its consistency if that is known. */
export async function announceSnapshot({ id, name }: Snapshot): Promise<void> {
  const { consistency }: Partial<SnapshotRow> = await queryClient
    .fetchQuery(snapshotDetailsQuery(id))
    .catch(() => ({}))
  const taken = consistency ? `created: ${snapshotConsistencyText(consistency)}` : 'created'
  doneToast('Snapshot', name, taken)
}

/**
 * Row actions that take a snapshot of a disk at once, with a name derived from the disk's, and show
 * it as code.
 * @param announced shows a toast when the snapshot starts, for pages that do not list snapshots
 */
export function useSnapshotDisk(
  project: string,
  { announced = false } = {},
): (disk: Disk) => MenuAction[] {
  const snapshot = useApiAction('snapshotCreate', {
    onSuccess: (made) => {
      void announceSnapshot(made)
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
