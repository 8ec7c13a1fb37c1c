import type { InstanceSledView } from '@steading/api/client'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { useCancelMove } from './cancel-move.tsx'
import { MoveProgress } from './move-progress.tsx'
import { TextLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { TimeAgo } from '../../ui/time.tsx'

const SledLink = ({ id, serial }: { id: string; serial: string }) => (
  <TextLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: id }}>
    {serial}
  </TextLink>
)

/** The sled of an instance, and the one that it moves to. */
export function InstanceSled({ sled, move }: InstanceSledView) {
  if (!sled) return <EmptyCell />
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      <SledLink {...sled} />
      {move?.state === 'moving' && (
        <span className="text-secondary">
          moving to <SledLink {...move.to} />
        </span>
      )}
    </span>
  )
}

/** How far the move of an instance is, while it lasts. */
export function RunningMove({ move }: InstanceSledView) {
  const cancel = useCancelMove()
  if (move?.state !== 'moving') return null
  const { instanceId: id, instanceName: name, from, cancelledBy } = move
  return (
    <div className="px-(--gutter) pb-4">
      <Banner variant="info" title={`The instance moves to sled ${move.to.serial}`}>
        {move.progress ? <MoveProgress of={move.progress} name={name} /> : 'Its guest runs on.'}
        <div className="mt-2 flex gap-2">
          <ActionButtons size="sm" actions={cancel({ id, name, sledId: from.id, cancelledBy })} />
        </div>
      </Banner>
    </div>
  )
}

/** Says that the newest move of an instance has failed, and why. */
export function MoveNotice({ sled, move }: InstanceSledView) {
  // Started again since, it is elsewhere anyway.
  if (move?.state !== 'failed' || sled?.id !== move.from.id) return null
  return (
    <div className="px-(--gutter) pb-4">
      <Banner variant="notice" title={`The move to sled ${move.to.serial} has failed`}>
        {move.reason}, <TimeAgo date={move.timeFinished!} caption="Failed" ago />. The instance is
        still on sled {move.from.serial}.
      </Banner>
    </div>
  )
}
