type AreaProps = {
  /** Null where nothing was measured. */
  values: readonly (number | null)[]
  /** Value at the upper edge. */
  top: number
  width: number
  height: number
}

/** A line with the area below it, in the colour `--hue`, with gaps where nothing was measured. */
export function Area({ values, top, width, height }: AreaProps) {
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * width
  const y = (value: number) => height - (value / top) * height
  return segmentsOf(values).map((segment) => {
    const [first, end] = [segment[0]!, segment.at(-1)!]
    const line = segment
      .map((index) => `${x(index).toFixed(1)},${y(values[index]!).toFixed(1)}`)
      .join(' ')
    return (
      <g key={first}>
        <polygon
          points={`${x(first)},${height} ${line} ${x(end)},${height}`}
          fill="color-mix(in oklch, var(--hue) 22%, transparent)"
        />
        <polyline points={line} fill="none" stroke="var(--hue)" strokeWidth={1.75} />
      </g>
    )
  })
}

/** Indexes of values without gaps between them. */
function segmentsOf(values: readonly (number | null)[]): number[][] {
  const segments: number[][] = []
  let open: number[] | undefined
  values.forEach((value, index) => {
    if (value === null) {
      open = undefined
    } else if (open) {
      open.push(index)
    } else {
      open = [index]
      segments.push(open)
    }
  })
  return segments
}
