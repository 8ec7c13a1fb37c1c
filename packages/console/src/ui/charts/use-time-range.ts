import { useEffect, useRef, useState } from 'react'
import { CUSTOM, endingNow, type Preset, rangeProblem } from './time-range.ts'
import type { Span } from './zoom.ts'

/** A custom range is applied after this long without a change. */
const SETTLED_MS = 400

export type TimeRange = {
  presets: readonly Preset[]
  /** The id of a preset, or `CUSTOM`. */
  choice: string
  /** The selected range, which may be invalid. */
  chosen: Span
  /** The range that the charts show. */
  range: Span
  choose: (id: string) => void
  setCustom: (span: Span) => void
  /** Moves the range of a preset to end now. */
  slide: () => void
}

/** @param presets the first one is the default */
export function useTimeRange(presets: readonly Preset[]): TimeRange {
  const [choice, setChoice] = useState(presets[0]!.id)
  const [chosen, setChosen] = useState(() => endingNow(presets[0]!))
  const [range, setRange] = useState(chosen)
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(settling.current), [])

  const preset = presets.find(({ id }) => id === choice)
  const show = (span: Span) => {
    clearTimeout(settling.current)
    setChosen(span)
    setRange(span)
  }
  return {
    presets,
    choice,
    chosen,
    range,
    choose(id) {
      setChoice(id)
      const next = presets.find((one) => one.id === id)
      if (next) show(endingNow(next))
    },
    setCustom(span) {
      setChoice(CUSTOM)
      setChosen(span)
      clearTimeout(settling.current)
      if (!rangeProblem(span)) settling.current = setTimeout(() => setRange(span), SETTLED_MS)
    },
    slide() {
      if (preset) show(endingNow(preset))
    },
  }
}
