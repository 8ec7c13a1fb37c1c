import type { Args, NetworkChanges } from '@steading/api/client'
import { keepPreviousData, useIsMutating, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Minus, Plus } from 'lucide-react'
import { apiQuery, call, queryClient } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { messageOf } from '../../data/errors.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useDebounced } from '../../ui/steady-value.ts'
import { endsText, leftOutText, summaryOf, trafficText } from './change-text.ts'

/** The arguments of the call that compares the network with a change. */
export type PlannedChange = Args<'reachabilityChanges'>

/** Milliseconds without typing before a comparison starts. */
const PAUSE = 400
/** Number of lines shown before "more". */
const FIRST = 6

/** Disabled stand-in while there is nothing to compare. */
const NO_CHANGE: PlannedChange = { body: { type: 'network_interface_delete', interface: '' } }

/** Aborted when the user leaves, since a comparison may take the server long. */
const changesQuery = (change: PlannedChange, enabled: boolean) => ({
  ...apiQuery('reachabilityChanges', change, { enabled }),
  queryFn: ({ signal }: { signal: AbortSignal }) => call('reachabilityChanges', change, { signal }),
})

/**
 * Preview of the connections a form or confirmation would open and close.
 * @param change undefined while the form is incomplete
 */
export function ConnectionChanges({ change }: { change: PlannedChange | undefined }) {
  const supported = useCapability('reachability')
  const settled = useDebounced(change, PAUSE)
  const id = useId()
  // No more comparisons once the change is sent: the changed resource may be gone already.
  const sent = useIsMutating() > 0
  const query = changesQuery(settled ?? NO_CHANGE, settled !== undefined && supported && !sent)
  useEffect(() => {
    if (sent) void queryClient.cancelQueries({ queryKey: ['reachabilityChanges'] })
  }, [sent])
  const { data, error, isFetching, refetch } = useQuery({
    ...query,
    placeholderData: keepPreviousData,
  })
  if (!supported) return null
  const pending = isFetching || JSON.stringify(settled) !== JSON.stringify(change)
  return (
    <section aria-labelledby={id} className="rounded-card border bg-sunken px-3 py-2.5">
      <h3 id={id} className="flex items-center gap-2 font-medium">
        Effect on connections
        {change && pending && <Spinner size={12} />}
      </h3>
      {!change ? (
        <p className="text-secondary">Shown once the form is filled in.</p>
      ) : error && !pending ? (
        <div className="flex items-start gap-3">
          <p className="min-w-0 flex-1 wrap-anywhere text-secondary">{messageOf(error)}</p>
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : data ? (
        <Changes changes={data} />
      ) : (
        <p className="text-secondary">Comparing all connections…</p>
      )}
    </section>
  )
}

type Line = { key: string; lost: boolean; from: string; to: string; what: string }

/** Lines for lost and gained connections, losses first. */
function linesOf({ changes }: NetworkChanges): Line[] {
  const of = (which: 'lost' | 'gained'): Line[] =>
    changes.flatMap(({ from, to, [which]: traffic }, index) =>
      traffic.length === 0
        ? []
        : [
            {
              key: `${which} ${index}`,
              lost: which === 'lost',
              from: endsText(from),
              to: endsText(to),
              what: trafficText(traffic),
            },
          ],
    )
  return [...of('lost'), ...of('gained')]
}

function Changes({ changes }: { changes: NetworkChanges }) {
  const [all, setAll] = useState(false)
  const lines = linesOf(changes)
  const shown = all ? lines : lines.slice(0, FIRST)
  const leftOut = leftOutText(changes)
  return (
    <>
      <p role="status" className="text-secondary">
        {summaryOf(changes)}
      </p>
      {shown.length > 0 && (
        <ul aria-label="Connections that change" className="mt-2 flex flex-col gap-1.5">
          {shown.map(({ key, lost, from, to, what }) => (
            <li key={key} className="flex items-start gap-2">
              {lost ? (
                <Minus
                  size={14}
                  strokeWidth={2}
                  role="img"
                  aria-label="Lost:"
                  className="mt-[3px] shrink-0 text-red-text"
                />
              ) : (
                <Plus
                  size={14}
                  strokeWidth={2}
                  role="img"
                  aria-label="Gained:"
                  className="mt-[3px] shrink-0 text-green-text"
                />
              )}
              <span className="min-w-0 wrap-anywhere">
                {from} → {to}
                <span className="block text-xs text-secondary">{what}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {lines.length > shown.length && (
        <Button size="sm" variant="ghost" className="mt-1" onClick={() => setAll(true)}>
          Show {lines.length - shown.length} more
        </Button>
      )}
      {changes.moreChanges > 0 && (
        <p className="mt-1 text-secondary">and {changes.moreChanges} more</p>
      )}
      {leftOut && <p className="mt-1 text-xs text-tertiary">{leftOut}</p>}
    </>
  )
}
