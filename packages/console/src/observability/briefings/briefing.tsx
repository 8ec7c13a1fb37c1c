import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { counted } from '@steading/api/rules'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.tsx'
import { FirstSteps, hasOpenSteps } from './first-steps.tsx'
import { briefingQuery, type BriefedPlace } from './queries.ts'
import { rememberRoom } from '../../page/room.ts'
import { Sentences } from './sentences.tsx'
import { roomOfSteps } from './step-list.tsx'

type BriefingProps = {
  of: BriefedPlace
  /** Key of the place in the memory of rooms. */
  place: string
  /** There is room for the steps, or nothing that they would move. */
  expands: boolean
  onKnown: (isKnown: boolean) => void
}

/** The sentences about a place, and the first steps until they are done or dismissed. */
export default function Briefing({ of, place, expands, onKnown }: BriefingProps) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(briefingQuery(of))
  const isSettled = data !== undefined || error !== null
  // Decided once, as of the first answer.
  const [isOpen, setOpen] = useState<boolean>()
  if (isSettled && isOpen === undefined) setOpen(expands)
  const root = useRef<HTMLDivElement>(null)
  const steps = data && hasOpenSteps(data) ? data.steps : []
  const hidden = isOpen ? 0 : roomOfSteps(steps)
  useLayoutEffect(() => {
    if (!isSettled) return
    if (data) rememberRoom(place, Math.ceil(root.current!.offsetHeight) + hidden)
    onKnown(true)
  }, [isSettled, data, hidden, place, onKnown])
  const left = steps.filter(({ done }) => !done).length
  return (
    <div ref={root}>
      {isSettled && (
        <div className="flex min-h-11 items-baseline gap-3 pb-4">
          {data ? (
            <p className="min-w-0 flex-1 text-secondary">
              <Sentences sentences={data.sentences} />
              {error && ` (as of ${formatMoment(new Date(dataUpdatedAt))})`}
            </p>
          ) : (
            <p className="text-secondary">
              The state of things could not be read.{' '}
              <button type="button" className="link rounded-sm" onClick={() => void refetch()}>
                Try again
              </button>
            </p>
          )}
          {left > 0 && !isOpen && (
            <Button size="sm" onClick={() => setOpen(true)}>
              {`Show ${counted(left, 'next step')}`}
            </Button>
          )}
        </div>
      )}
      {data && isOpen && left > 0 && (
        <div className="pb-4">
          <FirstSteps briefing={data} />
        </div>
      )}
    </div>
  )
}
