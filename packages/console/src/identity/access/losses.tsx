import type { AccessChange, AccessPreview } from '@steading/api/client'
import { noAdminLeft, placeOfRole } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { formatNumber } from '../../ui/number.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Strong } from '../../ui/text.tsx'
import { type Change, losesLastAdmin, type PolicyPlace, wordsOfRole } from './policies.ts'

type InPlace = AccessPreview['places'][number]

/** "Ana, Ben and 240 others". */
function Names({ losses, total }: Pick<InPlace, 'losses' | 'total'>) {
  const more = total - losses.length
  const names = losses.map(({ user }) => <Strong key={user.id}>{user.displayName}</Strong>)
  const all: ReactNode[] =
    more > 0
      ? [
          ...names,
          <span key="more">{`${formatNumber(more)} ${more === 1 ? 'other' : 'others'}`}</span>,
        ]
      : names
  return all.map((each, index) => [
    index === 0 ? '' : index === all.length - 1 ? ' and ' : ', ',
    each,
  ])
}

/** Users losing the same role here. */
function sameLosses({ losses }: InPlace) {
  return [...Map.groupBy(losses, ({ before, after }) => `${before} ${after}`).values()]
}

function LossesInPlace({ inPlace }: { inPlace: InPlace }) {
  const { place, losses, total } = inPlace
  const groups = sameLosses(inPlace)
  const lines = groups.map((same, index) => {
    const { before, after } = same[0]!
    // Unnamed users are counted in the last line.
    const others = index === groups.length - 1 ? total - losses.length : 0
    const count = same.length + others
    return (
      <li key={`${before} ${after}`} className="py-1">
        <Names losses={same} total={count} /> {count === 1 ? 'loses' : 'lose'} the{' '}
        {wordsOfRole(before)} role on {placeOfRole(place)}
        {after ? ` and ${count === 1 ? 'keeps' : 'keep'} the ${wordsOfRole(after)} role` : ''}.
      </li>
    )
  })
  if (!inPlace.noAdminLeft) return lines
  return [
    ...lines,
    <li key="no admin" className="py-1 font-medium text-amber-text">
      {noAdminLeft(place)}
    </li>,
  ]
}

type LossesProps = {
  change: AccessChange
  /** Shown if the control plane cannot compute losses. */
  otherwise?: ReactNode
}

/** Lists users who lose roles by a planned change, and places that are left without an admin. */
export function RoleLosses({ change, otherwise }: LossesProps) {
  const supported = useCapability('access')
  const { data, isPending } = useQuery({
    queryKey: ['accessPreview', { body: change }] as const,
    queryFn: () => call('accessPreview', { body: change }, { expected: [403, 404] }),
    enabled: supported,
    placeholderData: (before: AccessPreview | undefined) => before,
  })
  if (!supported) return otherwise
  if (isPending) {
    return (
      <p className="flex min-h-7 items-center gap-2 text-tertiary">
        <Spinner /> Finding out who loses access…
      </p>
    )
  }
  if (!data) return null
  if (data.places.length === 0) return <p className="min-h-7">No user loses access.</p>
  return (
    <ul aria-label="Users losing access" className="max-h-60 overflow-y-auto">
      {data.places.map((inPlace) => (
        <LossesInPlace key={inPlace.place.id} inPlace={inPlace} />
      ))}
      {data.morePlaces > 0 && (
        <li className="py-1">The same in {formatNumber(data.morePlaces)} other projects.</li>
      )}
    </ul>
  )
}

/**
 * A warning based on the policy alone, for control planes that cannot compute losses. A project
 * may still have admins by their roles on the silo.
 */
export function LastAdmin({ place, change }: { place: PolicyPlace; change: Change }) {
  const { siloName } = useCurrentUser()
  const { level } = place
  if (level === 'project' || !losesLastAdmin(change.from, change.to)) return null
  return <p>{noAdminLeft({ level, name: (level === 'silo' && place.silo) || siloName })}</p>
}
