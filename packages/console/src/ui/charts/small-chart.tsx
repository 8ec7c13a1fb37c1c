import { Link } from '@tanstack/react-router'
import { type PointerEvent, useId } from 'react'
import { Area } from './area.tsx'
import { formatTime } from '../time.tsx'
import { topOf } from './chart-data.ts'

const WIDTH = 360
const HEIGHT = 96

export type SmallChartFormat = {
  tick: (value: number) => string
  parts: (value: number) => { amount: string; unit: string }
}

const Amount = ({ amount, unit }: { amount: string; unit: string }) => (
  <span className="whitespace-nowrap">
    <span className="text-number font-semibold tracking-[-0.02em] tabular-nums">{amount}</span>{' '}
    <span className="text-tertiary">{unit}</span>
  </span>
)

type SmallChartProps = {
  title: string
  /** Milliseconds since the epoch. */
  times: readonly number[]
  /** Null where nothing was measured. */
  values: readonly (number | null)[]
  format: SmallChartFormat
  /** Token of the colour. */
  hue: string
  /** Path of a page with more about the series. */
  href?: string | undefined
  /** The time under the pointer, in this chart or in one beside it. */
  hoveredAt: number | undefined
  onHover: (time: number | undefined) => void
}

/** A chart of one series for a glance: its last value, an area with axes, and values on hover. */
export function SmallChart(props: SmallChartProps) {
  const { title, times, values, format, hue, href, hoveredAt, onHover } = props
  const id = useId()
  const hovered = hoveredAt === undefined ? undefined : nearest(times, hoveredAt)
  const known = values.flatMap((value) => value ?? [])
  const last = values.findLast((value) => value !== null)
  const top = topOf(Math.max(0, ...known))
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * WIDTH
  const shown = hovered === undefined ? last : values[hovered]
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = Math.min(Math.max((clientX - left) / width, 0), 1)
    onHover(times[Math.round(share * (values.length - 1))])
  }
  return (
    <figure aria-labelledby={id} className="min-w-0 p-5">
      <figcaption className="flex items-baseline justify-between gap-3">
        <h3 id={id} className="text-secondary">
          {href ? (
            <Link to={href as '/'} className="rounded-sm hover:text-primary hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </h3>
        {shown === null || shown === undefined ? (
          <span className="text-number text-tertiary">—</span>
        ) : (
          <Amount {...format.parts(shown)} />
        )}
      </figcaption>
      {/* Time runs from left to right everywhere. */}
      <div dir="ltr" className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <svg
          role="img"
          aria-label={`${title} ${spoken(known, last, format)}`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-24 w-full touch-pan-y overflow-visible [&_*]:[vector-effect:non-scaling-stroke] forced-colors:[--hue:CanvasText]!"
          style={{ '--hue': `var(${hue})` } as object}
          onPointerMove={onPointerMove}
          onPointerLeave={() => onHover(undefined)}
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1={0}
              x2={WIDTH}
              y1={HEIGHT * share}
              y2={HEIGHT * share}
              className="stroke-line"
            />
          ))}
          <Area values={values} top={top} width={WIDTH} height={HEIGHT} />
          {hovered !== undefined && (
            <line
              x1={x(hovered)}
              x2={x(hovered)}
              y1={0}
              y2={HEIGHT}
              className="stroke-line-control"
            />
          )}
        </svg>
        <span
          aria-hidden
          className="relative -my-2 flex w-16 flex-col justify-between text-xs text-tertiary tabular-nums"
        >
          <span>{format.tick(top)}</span>
          <span>{format.tick(top / 2)}</span>
          <span>0</span>
        </span>
        <span
          aria-hidden
          className="mt-1.5 flex justify-between text-xs text-tertiary tabular-nums"
        >
          {hovered === undefined ? (
            <>
              <span>{formatTime(times[0]!)}</span>
              <span>now</span>
            </>
          ) : (
            <span className="w-full text-center text-secondary">{formatTime(times[hovered]!)}</span>
          )}
        </span>
      </div>
    </figure>
  )
}

/** Index of the time next to another. */
function nearest(times: readonly number[], time: number): number {
  const distances = times.map((each) => Math.abs(each - time))
  return distances.indexOf(Math.min(...distances))
}

function spoken(known: number[], last: number | null | undefined, format: SmallChartFormat) {
  const value = (of: number) => Object.values(format.parts(of)).join(' ')
  if (known.length === 0 || last === null || last === undefined) return 'was not measured'
  return `in the last hour: now ${value(last)}, between ${value(Math.min(...known))} and ${value(Math.max(...known))}`
}
