import { useRouterState } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { useState } from 'react'
import { retryNow, useConnectionLost } from '../data/connection.ts'
import { shownAsOf } from '../data/shown-as-of.ts'
import { Button } from '../ui/button.tsx'
import { formatMoment } from '../ui/time.tsx'

/** Shows the age of a page's data while the control plane is unreachable. */
export function ConnectionNotice() {
  const lostAt = useConnectionLost()
  return lostAt === undefined ? null : <Lost at={lostAt} />
}

function Lost({ at }: { at: number }) {
  // Pages differ in the age of their data.
  useRouterState({
    select: ({ resolvedLocation, status }) => `${resolvedLocation?.href} ${status}`,
  })
  const [asked, setAsked] = useState(0)
  const { oldest, newest } = shownAsOf(at)
  const [since, until] = [formatMoment(new Date(oldest)), formatMoment(new Date(newest))]
  return (
    <div
      role="status"
      className="sticky top-(--shell-top) z-30 flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-amber-border bg-amber-surface px-(--gutter) py-1.5 text-amber-text"
    >
      <Unplug size={16} strokeWidth={1.5} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="font-medium">No connection to the server.</span> The page is{' '}
        {since === until ? `as of ${since}` : `from between ${since} and ${until}`}.
        <span className="max-sm:hidden"> Changes can be made again once it is back.</span>
      </span>
      <Button
        key={asked}
        size="sm"
        onClick={() => {
          setAsked(asked + 1)
          retryNow()
        }}
      >
        Try again
      </Button>
    </div>
  )
}
