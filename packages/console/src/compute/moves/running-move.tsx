import type { InstanceMove } from '@steading/api/client'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { useCancelMove } from './cancel-move.tsx'
import { MoveProgress } from './move-progress.tsx'

/** How far the move of an instance is, and how to cancel it. */
export default function RunningMove({ move }: { move: InstanceMove }) {
  const cancel = useCancelMove()
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
