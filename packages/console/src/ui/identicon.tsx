/** FNV-1a: small, stable, sufficient to distinguish names. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) {
    value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193)
  }
  return value >>> 0
}

const GRID = 5
const HALF = 3

/** A mirror-symmetric 5 × 5 pattern with a hue, both derived from the name. */
export function Identicon({ name, size = 28 }: { name: string; size?: number }) {
  const bits = hash(name)
  const hue = hash(`${name}/hue`) % 360
  const cells: [x: number, y: number][] = []
  for (let y = 0; y < GRID; y++) {
    for (let x = 0; x < HALF; x++) {
      if (!((bits >> (y * HALF + x)) & 1)) continue
      cells.push([x, y])
      if (x < HALF - 1) cells.push([GRID - 1 - x, y])
    }
  }
  return (
    <svg
      viewBox="-1 -1 7 7"
      width={size}
      height={size}
      aria-hidden
      shapeRendering="crispEdges"
      className="shrink-0 rounded-control"
      style={{ background: `oklch(0.3 0.06 ${hue})`, color: `oklch(0.83 0.13 ${hue})` }}
    >
      {cells.map(([x, y]) => (
        <rect key={`${x}-${y}`} x={x} y={y} width="1" height="1" fill="currentColor" />
      ))}
    </svg>
  )
}
