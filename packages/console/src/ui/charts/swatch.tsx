import { BAND_HUE, lookOf } from './look.ts'

/** A short sample of a series' line, as drawn in the chart. */
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

/** A sample of a band. */
export const BandSwatch = () => (
  <svg
    width={20}
    height={10}
    aria-hidden
    className="shrink-0 forced-colors:text-[CanvasText]!"
    style={{ color: `var(${BAND_HUE})` }}
  >
    <rect width={20} height={10} fill="currentColor" opacity={0.12} />
    <path
      d="M-2 10 8 0M6 10 16 0M14 10 24 0"
      stroke="currentColor"
      strokeWidth={1}
      opacity={0.5}
      fill="none"
    />
    <rect width={20} height={2} fill="currentColor" />
  </svg>
)
