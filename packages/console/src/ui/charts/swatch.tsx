import { lookOf } from './look.ts'

/** A piece of the line of a series, as it is drawn in the chart. */
export function Swatch({ index }: { index: number }) {
  const { hue, dash } = lookOf(index)
  return (
    <svg width={20} height={4} aria-hidden className="shrink-0">
      <line
        x1={0}
        x2={20}
        y1={2}
        y2={2}
        stroke={`var(${hue})`}
        strokeWidth={2}
        strokeDasharray={dash.join(' ')}
        className="forced-colors:stroke-[CanvasText]"
      />
    </svg>
  )
}
