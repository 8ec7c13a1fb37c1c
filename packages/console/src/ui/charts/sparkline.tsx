import { Area } from './area.tsx'

const WIDTH = 120
const HEIGHT = 24

type SparklineProps = {
  /** Null where nothing was measured. */
  values: readonly (number | null)[]
  /** Least value of the upper edge, so that noise does not look like load. */
  least: number
  /** Token of the colour. */
  hue: string
}

/** A line without axes, beside the text of its last value. */
export function Sparkline({ values, least, hue }: SparklineProps) {
  const top = Math.max(least, ...values.map((value) => value ?? 0))
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-6 w-full overflow-visible [&_*]:[vector-effect:non-scaling-stroke] forced-colors:[--hue:CanvasText]!"
      style={{ '--hue': `var(${hue})` } as object}
    >
      <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className="stroke-line" />
      <Area values={values} top={top} width={WIDTH} height={HEIGHT} />
    </svg>
  )
}
