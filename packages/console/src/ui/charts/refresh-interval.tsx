import { useState } from 'react'
import { Listbox } from '../form/listbox-field.tsx'
import { RefreshButton } from '../page-header.tsx'
import { useTicks } from './use-ticks.ts'

const intervals = [
  { label: 'Off', ms: 0 },
  { label: '10s', ms: 10_000 },
  { label: '1m', ms: 60_000 },
  { label: '2m', ms: 120_000 },
  { label: '5m', ms: 300_000 },
]
const FIRST = '10s'
const OFF = 'Off'

type RefreshIntervalProps = {
  /** The range is fixed, so there is nothing to refresh. */
  standing: boolean
  onTick: () => void
  onRefresh: () => Promise<unknown>
}

/** Refreshes on demand, or periodically while the page is visible. */
export function RefreshInterval({ standing, onTick, onRefresh }: RefreshIntervalProps) {
  const [chosen, setChosen] = useState(FIRST)
  const shown = standing ? OFF : chosen
  const { ms } = intervals.find(({ label }) => label === shown)!
  useTicks(ms, onTick)
  return (
    <div className="flex items-center gap-1">
      <RefreshButton onRefresh={onRefresh} />
      <Listbox
        aria-label="Refresh interval"
        className="w-20"
        options={intervals.map(({ label }) => ({ value: label, label }))}
        value={shown}
        onChange={setChosen}
        disabled={standing}
      />
    </div>
  )
}
