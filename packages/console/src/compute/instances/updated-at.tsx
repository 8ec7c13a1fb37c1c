import { useLiveState } from '../../data/live.ts'
import { tooltip } from '../../ui/tooltip.tsx'

const format = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** When the shown data was read, and how it is kept fresh. */
export function UpdatedAt({ date }: { date: Date }) {
  const live = useLiveState() === 'live'
  return (
    <span
      className="text-xs text-tertiary tabular-nums max-sm:sr-only"
      {...tooltip(live ? 'Updates live' : 'Auto-refresh is more frequent after instance actions')}
    >
      Updated {format.format(date)}
    </span>
  )
}
