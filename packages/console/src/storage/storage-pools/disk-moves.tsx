/** The storage pool of a disk, and its moves to others. */
import type { Disk } from '@steading/api/client'
import { diskCannotMove } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useApiMutation } from '../../data/api.ts'
import { useAvailable } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import { diskStorageQuery, poolsNeed, usePoolChoices } from './queries.ts'

const MoveModal = lazyPart(() => import('./move-modal.tsx'))

/** Milliseconds between reads while a disk is copied: the progress has no events. */
const POLL_MS = 1_000

/** The menu items that move a disk; none if there is only one pool. */
export function useDiskMoves(project: string): (disk: Disk) => MenuAction[] {
  const hasChoice = usePoolChoices(project).length > 0
  const cancel = useApiMutation('diskMoveCancel', {
    onError: ({ message }) => errorToast('Could not cancel the move', message),
  })
  return (disk) => {
    if (!hasChoice) return []
    if (disk.state.state === 'maintenance') {
      return [
        {
          label: 'Cancel move',
          calls: 'diskMoveCancel',
          onAction: () => cancel.mutate({ path: { disk: disk.name }, query: { project } }),
        },
      ]
    }
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
    <Banner title={`The disk is being moved to ${move.to.name}`}>
      <span aria-live="polite">
        {move.percent === null ? 'The copy begins.' : `${move.percent} % is copied.`}
      </span>
    </Banner>
  )
}
