import type { HostStory } from '@steading/api/client'
import type { HostEventKind } from '@steading/api/rules'
import { usePrefetchedQuery } from '../../data/api.ts'
import { Card, CardEmpty } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { DateTime } from '../../ui/time.tsx'
import { hostStoryQuery } from './queries.ts'

const isBad: Partial<Record<HostEventKind, true>> = {
  silent: true,
  fencing_failed: true,
  lease_held: true,
  instance_lost: true,
}

type HostEvent = HostStory['events'][number]

/** The events around a host that did not answer, the first one first. */
export const EventList = ({ events, label }: { events: HostEvent[]; label: string }) => (
  <ol aria-label={label}>
    {events.map(({ timeRecorded, kind, sentence }, index) => (
      <li
        // Events are only added at the end.
        // eslint-disable-next-line react/no-array-index-key
        key={index}
        className="flex flex-col gap-x-4 px-4 py-2 not-last:border-b sm:flex-row"
      >
        <span className="w-44 shrink-0 text-secondary tabular-nums">
          <DateTime date={timeRecorded} />
        </span>
        <span className={cx('min-w-0 flex-1 wrap-anywhere', isBad[kind] && 'text-red-text')}>
          {sentence}
        </span>
      </li>
    ))}
  </ol>
)

export function StoryCard({ hostId }: { hostId: string }) {
  const { data } = usePrefetchedQuery(hostStoryQuery(hostId))
  return (
    <Card title="Outages" description="What happened when the host did not answer, in order">
      {data.events.length === 0 ? (
        <CardEmpty title="No outages" body="The host has always answered" />
      ) : (
        <EventList events={data.events} label="Outages" />
      )}
    </Card>
  )
}
