import { CalendarDays } from 'lucide-react'
import { buttonClass } from '../button.tsx'
import { Listbox } from '../form/listbox-field.tsx'
import { popup, PopupButton } from '../popup-button.tsx'
import { CUSTOM, rangeProblem } from './time-range.ts'
import { formatRange } from '../exact-time.ts'
import type { TimeRange } from './use-time-range.ts'

const calendar = popup('dialog', () => import('./range-calendar.tsx').then((m) => m.RangePopup))

/** Picks the time range of charts: a preset, or a start and an end. */
export function TimeRangePicker({ time }: { time: TimeRange }) {
  const { presets, choice, chosen, choose, setCustom } = time
  const problem = rangeProblem(chosen)
  const text = formatRange(chosen.from, chosen.to)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <Listbox
        aria-label="Choose a time range preset"
        className="w-40"
        options={[
          ...presets.map(({ id, label }) => ({ value: id, label })),
          { value: CUSTOM, label: 'Custom' },
        ]}
        value={choice}
        onChange={choose}
      />
      <PopupButton
        popup={calendar}
        content={{ chosen, onChange: setCustom }}
        label={`Choose a date range: ${text}, Calendar`}
        className={buttonClass()}
      >
        <span className="tabular-nums">{text}</span>
        <CalendarDays size={16} strokeWidth={1.5} aria-hidden className="text-tertiary" />
      </PopupButton>
      {problem && (
        <p role="alert" className="text-red-text">
          {problem}
        </p>
      )}
    </div>
  )
}
