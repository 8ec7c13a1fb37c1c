/** The storage pool of a disk, and its move to another one. */
import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useApiMutation } from '../../data/api.ts'
import { useAvailable } from '../../data/capabilities.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import { poolsNeed } from './choices.ts'
import { diskStorageQuery } from './queries.ts'

/** Milliseconds between reads while a disk is copied: the progress has no events. */
const POLL_MS = 1_000

/** The place of a disk, read often while it moves. */
export function useDiskStorage(project: string, disk: Disk) {
  const hasPools = useAvailable(poolsNeed).length > 0
  const isMoving = disk.state.state === 'maintenance'
  return useQuery({
    ...diskStorageQuery(project, disk.name),
    enabled: hasPools,
    refetchInterval: isMoving && POLL_MS,
  }).data
}

/** The move of a disk, or why the last one failed. */
export function DiskMoveBanner({ project, disk }: { project: string; disk: Disk }) {
  const move = useDiskStorage(project, disk)?.move
  const cancel = useApiMutation('diskMoveCancel', {
    onError: ({ message }) => errorToast('Could not cancel the move', message),
  })
  if (!move) return null
  if (move.problem !== null) {
    return (
      <Banner variant="notice" title={`The disk was not moved to ${move.to.name}`}>
        {move.problem}. It stays where it was; move it again when this is mended.
      </Banner>
    )
  }
  if (disk.state.state !== 'maintenance') return null
  return (
    <Banner
      title={`The disk is being moved to ${move.to.name}`}
      action={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Cancel move',
              calls: 'diskMoveCancel',
              onAction: () => cancel.mutate({ path: { disk: disk.name }, query: { project } }),
            },
          ]}
        />
      }
    >
      <span aria-live="polite">
        {move.percent === null ? 'The copy begins.' : `${move.percent}% is copied.`}
      </span>
    </Banner>
  )
}
