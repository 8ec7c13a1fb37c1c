import { Suspense, useState } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { lazyPart, whenDrawnAndIdle } from '../../ui/lazy-part.ts'
import type { BriefedPlace } from './queries.ts'
import { roomOf } from '../../page/room.ts'

/** Loaded after the page. */
const Briefing = lazyPart(async () => {
  await whenDrawnAndIdle()
  return import('./briefing.tsx')
})

type BriefingPartProps = {
  of: BriefedPlace
  /** The list below is empty, and is shown together with the steps. */
  isEmpty?: boolean
}

/**
 * How a place is doing and what to do next, at the top of its page. It is loaded after the page;
 * meanwhile its room is kept.
 */
export function BriefingPart({ of, isEmpty }: BriefingPartProps) {
  const place = JSON.stringify(of)
  return useCapability('overviews') && <Room key={place} {...{ of, isEmpty, place }} />
}

function Room({ of, isEmpty, place }: BriefingPartProps & { place: string }) {
  const [room] = useState(() => roomOf(place))
  const [isKnown, setKnown] = useState(false)
  return (
    <div
      data-briefing={isKnown || room ? undefined : 'awaited'}
      style={{ minHeight: isKnown ? undefined : room }}
      // On a phone, the sentences need two lines.
      className="min-h-11 px-(--gutter) max-sm:min-h-15"
    >
      <Suspense>
        <Briefing {...{ of, place }} expands={!!room || !!isEmpty} onKnown={setKnown} />
      </Suspense>
    </div>
  )
}
