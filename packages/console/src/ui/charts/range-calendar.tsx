import {
  type CalendarDate,
  type DateValue,
  fromAbsolute,
  getLocalTimeZone,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  toTime,
  today,
} from '@internationalized/date'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { CalendarCell, CalendarGrid } from 'react-aria-components/Calendar'
import { DateInput, DateSegment } from 'react-aria-components/DateField'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Label } from 'react-aria-components/Label'
import { RangeCalendar } from 'react-aria-components/RangeCalendar'
import { TimeField, type TimeValue } from 'react-aria-components/TimeField'
import { buttonClass } from '../button.tsx'
import { MenuFrame } from '../menu-popup.tsx'
import type { PopupProps } from '../popup-button.tsx'
import { rangeProblem } from './time-range.ts'
import type { Span } from './zoom.ts'

export type RangeContent = { chosen: Span; onChange: (span: Span) => void }

const zone = getLocalTimeZone()
const localOf = (time: number) => fromAbsolute(time, zone)

/** The moment of a day and time, but never in the future. */
const momentOf = (day: DateValue, time: TimeValue): number =>
  Math.min(
    toCalendarDateTime(day, new Time(time.hour, time.minute, time.second))
      .toDate(zone)
      .getTime(),
    Date.now(),
  )

/** A calendar for the days, with the start and end times. */
export function RangePopup({ chosen, onChange, ...from }: PopupProps & RangeContent) {
  const [start, end] = [localOf(chosen.from), localOf(chosen.to)]
  const days = { start: toCalendarDate(start), end: toCalendarDate(end) }
  const times = { start: toTime(start), end: toTime(end) }
  const set = (
    nextDays: { start: CalendarDate; end: CalendarDate },
    nextTimes: { start: TimeValue; end: TimeValue },
  ) =>
    onChange({
      from: momentOf(nextDays.start, nextTimes.start),
      to: momentOf(nextDays.end, nextTimes.end),
    })
  const problem = rangeProblem(chosen)
  const ordered = days.start.compare(days.end) <= 0 ? days : { start: days.end, end: days.start }
  return (
    <MenuFrame from={from} placement="bottom-end" className="max-w-none!">
      <Dialog aria-label="Choose a date range" className="flex flex-col gap-3 p-3 outline-none">
        <RangeCalendar
          aria-label="Days"
          value={ordered}
          maxValue={today(zone)}
          onChange={({ start: first, end: last }) =>
            set({ start: toCalendarDate(first), end: toCalendarDate(last) }, times)
          }
        >
          <div className="mb-2 flex items-center justify-between">
            <AriaButton slot="previous" className={buttonClass('ghost', 'sm', true)}>
              <ChevronLeft size={16} strokeWidth={1.5} aria-hidden />
            </AriaButton>
            <Heading className="font-medium" />
            <AriaButton slot="next" className={buttonClass('ghost', 'sm', true)}>
              <ChevronRight size={16} strokeWidth={1.5} aria-hidden />
            </AriaButton>
          </div>
          <CalendarGrid className="[&_th]:h-7 [&_th]:text-xs [&_th]:font-normal [&_th]:text-tertiary">
            {(date) => (
              <CalendarCell
                date={date}
                className="flex size-8 cursor-default items-center justify-center rounded-sm tabular-nums outline-none data-disabled:text-disabled data-focus-visible:outline-2 data-focus-visible:outline-focus data-hovered:bg-hover data-outside-month:hidden data-selected:bg-selected data-selection-end:bg-accent data-selection-end:text-on-accent data-selection-start:bg-accent data-selection-start:text-on-accent"
              />
            )}
          </CalendarGrid>
        </RangeCalendar>
        <div className="grid grid-cols-2 gap-3">
          <TimeInput
            label="Start time"
            value={times.start}
            invalid={Boolean(problem)}
            onChange={(value) => set(days, { ...times, start: value })}
          />
          <TimeInput
            label="End time"
            value={times.end}
            invalid={Boolean(problem)}
            onChange={(value) => set(days, { ...times, end: value })}
          />
        </div>
      </Dialog>
    </MenuFrame>
  )
}

type TimeInputProps = {
  label: string
  value: TimeValue
  invalid: boolean
  onChange: (value: TimeValue) => void
}

const TimeInput = ({ label, value, invalid, onChange }: TimeInputProps) => (
  <TimeField
    value={value}
    // A segment has no value while it is being edited.
    onChange={(next) => next && onChange(next)}
    hourCycle={24}
    granularity="minute"
    isInvalid={invalid}
    className="flex flex-col gap-1.5"
  >
    <Label className="font-medium">{label}</Label>
    <DateInput className="field-control flex items-center tabular-nums">
      {(segment) => (
        <DateSegment
          segment={segment}
          className="rounded-sm px-0.5 outline-none data-focused:bg-accent data-focused:text-on-accent"
        />
      )}
    </DateInput>
  </TimeField>
)
