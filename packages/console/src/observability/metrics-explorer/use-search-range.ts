import { useEffect, useRef, useState } from 'react'
import { type ExplorerSearch, searchOfSpan } from '../timeseries/explorer-link.ts'
import { CUSTOM, endingNow, longPresets, rangeProblem } from '../../ui/charts/time-range.ts'
import type { TimeRange } from '../../ui/charts/use-time-range.ts'
import type { Span } from '../../ui/charts/zoom.ts'
import { spanOfSearch } from './search.ts'
import type { ExploredTime } from './use-explored.ts'

/** A custom range is applied after this long without a change. */
const SETTLED_MS = 400

const presetOf = ({ range }: ExplorerSearch) =>
  longPresets.find(({ id }) => id === range) ?? longPresets[0]!

/** The time range in an address. */
export const timeOfSearch = (search: ExplorerSearch): ExploredTime =>
  spanOfSearch(search) ?? presetOf(search)

/**
 * The address's time range for the picker.
 * @param shown current range, the default of a custom one
 */
export function useSearchRange(
  search: ExplorerSearch,
  shown: Span | undefined,
  onChange: (range: Pick<ExplorerSearch, 'range' | 'from' | 'to'>) => void,
): TimeRange {
  const preset = presetOf(search)
  const custom = spanOfSearch(search)
  const address = `${search.range} ${search.from} ${search.to}`
  /** A custom range being edited, valid only for that address. */
  const [choosing, setChoosing] = useState<{ span: Span; address: string }>()
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(settling.current), [])
  const [opened] = useState(() => Date.now())
  const chosen =
    choosing?.address === address ? choosing.span : (custom ?? shown ?? endingNow(preset, opened))
  const setCustom = (span: Span) => {
    setChoosing({ span, address })
    clearTimeout(settling.current)
    if (rangeProblem(span)) return
    settling.current = setTimeout(
      () => onChange({ range: undefined, ...searchOfSpan(span) }),
      SETTLED_MS,
    )
  }
  const isCustom = custom !== undefined || choosing?.address === address
  return {
    presets: longPresets,
    choice: isCustom ? CUSTOM : preset.id,
    chosen,
    range: chosen,
    choose(id) {
      clearTimeout(settling.current)
      setChoosing(undefined)
      if (id === CUSTOM) onChange({ range: undefined, ...searchOfSpan(chosen) })
      else
        onChange({
          range: id === longPresets[0]!.id ? undefined : id,
          from: undefined,
          to: undefined,
        })
    },
    setCustom,
    slide() {},
  }
}
