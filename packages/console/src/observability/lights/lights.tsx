import type { Lights as Answer } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { useCurrentUser } from '../../data/session.ts'
import { messageOf } from '../../data/errors.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/number.ts'
import { StateShape } from '../../ui/state-badge.tsx'
import { LightList } from './light-list.tsx'
import { countsOf, type LitUnit, unitsOf } from './model.ts'
import { Picture } from './picture.tsx'
import { type LitPlace, lightsQuery } from './queries.ts'

/** Texts where there is no light. */
const emptyWords = {
  fleet: 'No sleds yet. Once a rack is set up, each of its sleds is a storey here.',
  silo: 'No projects yet. Each project that you may read is a storey here, with a light for each instance.',
  sled: 'The sled is no longer here.',
} as const

type LightsProps = { of: LitPlace; label: string; className: string }

/** The picture of a place, what its lights mean, and all of them as a list. */
export default function Lights({ of, label, className }: LightsProps) {
  const { data, error, refetch } = useQuery(lightsQuery(of))
  if (data) return <Loaded {...{ of, label, className, answer: data }} />
  return (
    <div className={className}>
      {error && (
        <div role="alert" className="m-auto flex flex-col items-center gap-3 p-4 text-center">
          <p className="text-secondary">The picture could not be read: {messageOf(error)}</p>
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </div>
  )
}

function Loaded({ of, label, className, answer }: LightsProps & { answer: Answer }) {
  const id = useId()
  const { siloName } = useCurrentUser()
  const [isListed, setListed] = useState(false)
  const place = typeof of === 'object' ? 'sled' : of
  const units = useMemo(
    () => unitsOf(answer, { of: place, silo: siloName }),
    [answer, place, siloName],
  )
  if (units.length === 0) {
    return (
      <div className={className}>
        <p className="m-auto max-w-md p-4 text-center text-secondary">{emptyWords[place]}</p>
      </div>
    )
  }
  return (
    <>
      <div className={className}>
        <Picture units={units} label={label} hasRoof={place !== 'sled'} />
        <div
          className={cx(
            'flex h-11 shrink-0 items-center justify-between gap-4 ps-5 pe-3 max-sm:h-28 max-sm:flex-col max-sm:items-start max-sm:gap-2 max-sm:px-4 max-sm:py-3',
            // Barns stand on a line already.
            place === 'sled' && 'border-t',
          )}
        >
          <Legend units={units} moreUnits={answer.more} />
          <Button
            size="sm"
            variant="ghost"
            className="max-sm:-ms-2.5 max-sm:mt-auto"
            aria-expanded={isListed}
            aria-controls={id}
            onClick={() => setListed(!isListed)}
          >
            {isListed ? 'Hide list' : 'Show as list'}
          </Button>
        </div>
      </div>
      <div id={id}>{isListed && <LightList units={units} label={label} />}</div>
    </>
  )
}

/** Meanings in the legend at most; the worst come first. */
const MEANINGS = 6

function Legend({ units, moreUnits }: { units: readonly LitUnit[]; moreUnits: number }) {
  const counts = useMemo(() => countsOf(units).slice(0, MEANINGS), [units])
  const more = units.reduce((sum, unit) => sum + unit.more, 0)
  return (
    <ul className="flex max-h-full min-w-0 flex-wrap gap-x-5 gap-y-1 overflow-hidden max-sm:gap-x-3 text-secondary">
      {counts.map(({ tone, text, count }) => (
        <li key={text} className="flex items-center gap-1.5 whitespace-nowrap">
          <StateShape tone={tone} />
          <span className="font-medium text-primary tabular-nums">{formatNumber(count)}</span>{' '}
          {text}
        </li>
      ))}
      {counts.length === 0 && <li>No instances yet</li>}
      {more > 0 && (
        <li className="whitespace-nowrap">and {formatNumber(more)} more without a light</li>
      )}
      {moreUnits > 0 && (
        <li className="whitespace-nowrap">
          and {formatNumber(moreUnits)} more {units[0]!.light.kind}s
        </li>
      )}
    </ul>
  )
}
