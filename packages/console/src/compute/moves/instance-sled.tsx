import type { InstanceSledView } from '@steading/api/client'
import { Suspense } from 'react'
import { Banner } from '../../ui/banner.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { TextLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { TimeAgo } from '../../ui/time.tsx'

const Running = lazyPart(() => import('./running-move.tsx'))

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
export const RunningMove = ({ move }: InstanceSledView) =>
  move?.state === 'moving' && (
    <Suspense>
      <Running move={move} />
    </Suspense>
  )

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
