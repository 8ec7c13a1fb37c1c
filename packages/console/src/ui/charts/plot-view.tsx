import { formatZoned } from '../exact-time.ts'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import {
  type ChartBands,
  type ChartData,
  type ChartFormat,
  indexesWithin,
  isMarked,
} from './chart-data.ts'
import { createPlot, type Hover, type Plot } from './plot.ts'
import { BandSwatch, Swatch } from './swatch.tsx'
import { moved, scaled, type Span, useSharedView } from './zoom.ts'
import { Truncate } from '../text.tsx'

type PlotViewProps = {
  title: string
  data: ChartData
  range: Span
  stepped: boolean
  bands: ChartBands | undefined
  format: ChartFormat
  /** Called with the plot once drawn, and with undefined at its end. */
  onPlot: (plot: Plot | undefined) => void
}

const noSpans: readonly Span[] = []

/** The plot with a crosshair for pointer and keyboard. */
export function PlotView(props: PlotViewProps) {
  const { title, data, range, stepped, bands, format, onPlot } = props
  const { key, zoom, setZoom } = useSharedView()
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const help = useId()
  const [hover, setHover] = useState<Hover>()
  const span = zoom ?? range
  const { from, to } = span
  const count = data.series.length
  const marked = bands?.spans ?? noSpans
  const onHover = useEffectEvent((at: Hover | undefined) => setHover(at))
  const onZoom = useEffectEvent((next: Span | undefined) => setZoom(next))
  const tick = useEffectEvent((value: number) => format.tick(value))
  const draw = useEffectEvent((made: Plot) => made.show(data, span, marked))
  const tell = useEffectEvent((made: Plot | undefined) => onPlot(made))

  useEffect(() => {
    const made = createPlot(frame.current!, count, {
      group: key,
      stepped,
      tick: (value) => tick(value),
      onZoom: (next) => onZoom(next),
      onHover: (at) => onHover(at),
    })
    plot.current = made
    draw(made)
    tell(made)
    return () => {
      made.destroy()
      plot.current = undefined
      tell(undefined)
    }
  }, [count, key, stepped])
  useEffect(() => plot.current?.show(data, { from, to }, marked), [data, from, to, marked])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step && event.shiftKey) setZoom(zoom && moved(zoom, step / 4, range))
    else if (step) {
      const [begin, end] = indexesWithin(data.times, span)
      const isVisible = hover && hover.index >= begin && hover.index < end
      const next = isVisible ? hover.index + step : step > 0 ? begin : end - 1
      plot.current?.point(begin === end ? undefined : Math.min(Math.max(next, begin), end - 1))
    } else if (event.key === '+' || event.key === '=') setZoom(scaled(span, 1 / 2, range))
    else if (event.key === '-') setZoom(scaled(span, 2, range))
    else if (event.key === 'Escape' && (zoom || hover)) {
      if (hover) plot.current?.point(undefined)
      else setZoom(undefined)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const time = hover && data.times[hover.index]
  const valueAt = (values: readonly (number | null)[]) => {
    const value = hover && values[hover.index]
    return value === null || value === undefined ? 'no data' : format.value(value)
  }
  return (
    // Time runs from left to right everywhere.
    <div dir="ltr" className="relative">
      <div
        ref={frame}
        tabIndex={0}
        // Arrow keys move the crosshair from point to point; screen readers announce the
        // values.
        role="slider"
        aria-label={`${title} over time`}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, data.times.length - 1)}
        aria-valuenow={hover?.index ?? 0}
        aria-valuetext={
          time === undefined
            ? 'No point is chosen'
            : [
                formatZoned(time),
                ...data.series.map(({ name, values }) => `${name} ${valueAt(values)}`),
                ...(isMarked(bands, time) ? [bands!.name] : []),
              ].join(', ')
        }
        className="h-75 cursor-crosshair touch-pan-y rounded-sm focus-inset [&_.u-select]:bg-selected"
        onKeyDown={onKeyDown}
        onBlur={() => plot.current?.point(undefined)}
      />
      <p id={help} hidden>
        Left and Right move along the points, plus and minus zoom, Shift with Left and Right moves
        what is shown, Escape shows everything again.
      </p>
      {hover?.own && time !== undefined && (
        <div
          role="tooltip"
          className="pointer-events-none absolute top-2 z-10 w-max max-w-64 rounded-control border border-line-strong bg-floating px-2.5 py-2 text-xs shadow-floating"
          style={hover.left > hover.right ? { right: hover.right + 12 } : { left: hover.left + 12 }}
        >
          <p className="text-secondary">{formatZoned(time)}</p>
          <ul>
            {data.series.map(({ name, values }, index) => (
              <li key={name} className="flex items-center gap-2">
                <Swatch index={index} />
                <Truncate text={name} className="flex-1" />
                <span className="font-medium tabular-nums">{valueAt(values)}</span>
              </li>
            ))}
            {isMarked(bands, time) && (
              <li className="flex items-center gap-2">
                <BandSwatch />
                <span>{bands!.name}</span>
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  )
}
