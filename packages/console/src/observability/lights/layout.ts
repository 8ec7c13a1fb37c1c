/**
 * Where the barns, storeys and lights of a picture are. Lengths are those of the drawing on the
 * sign-in page, times a scale.
 */

/** Lights beside each other in a storey. */
export const SLOTS = 16
export const BARN_WIDTH = 480
export const STOREY_WIDTH = 448
export const STOREY_HEIGHT = 32
export const STOREY_STEP = 40
/** From the top of a barn to its first storey. */
export const ROOF_HEIGHT = 256
const GAP = 56
const FIRST_SLOT = 36
const SLOT_STEP = 25
const SLOT_WIDTH = 20
const DISK_GAP = 2
const DISK_WIDTH = (SLOT_WIDTH - DISK_GAP) / 2
const LIGHT_HEIGHT = 14
const LIGHT_TOP = 9
/** Centre of the light of a unit itself. */
const UNIT_AT = 18
const UNIT_RADIUS = 4
/** Storeys of the smallest barn; those without a unit are dark. */
const LEAST_STOREYS = 6
/** Scale beyond which fewer barns are better than larger ones. */
const COMFORTABLE = 0.55
/** Pixels between a picture and its edges, except for the ground that barns stand on. */
const MARGIN = { barns: 20, strip: 12 }

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A unit to be placed: a sled or a project. */
export interface UnitShape {
  /** Units of different groups are never in one barn. */
  group: string | null
  /** Slots of its instances, including empty ones between them. */
  slots: number
  disks: number
}

export interface Storey extends Box {
  /** Index of its unit; undefined for a storey without one. */
  unit: number | undefined
  /** Whether its unit begins here. */
  isFirst: boolean
  /** The dark places for lights. */
  slots: Box[]
}

export interface Layout {
  width: number
  height: number
  scale: number
  /** The outline of each barn; with a roof unless the picture has none. */
  barns: Box[]
  storeys: Storey[]
  /** By unit. */
  units: { light: Box; instances: Box[]; disks: Box[] }[]
  hasRoof: boolean
}

export interface Room {
  width: number
  height: number
  hasRoof: boolean
}

/** Two disks take the place of one instance, at the end of the last storey. */
const slotsOf = ({ slots, disks }: UnitShape): number => slots + Math.ceil(disks / 2)
export const storeysOf = (shape: UnitShape): number =>
  Math.max(1, Math.ceil(slotsOf(shape) / SLOTS))

/** Consecutive units of one group, with their storeys. */
function rowsOf(shapes: readonly UnitShape[]): { unit: number; part: number }[][] {
  const rows: { unit: number; part: number }[][] = []
  for (const [unit, shape] of shapes.entries()) {
    if (unit === 0 || shape.group !== shapes[unit - 1]!.group) rows.push([])
    const count = storeysOf(shape)
    for (let part = 0; part < count; part++) rows.at(-1)!.push({ unit, part })
  }
  return rows
}

const barnHeight = (storeys: number, hasRoof: boolean): number =>
  (hasRoof ? ROOF_HEIGHT : 0) + storeys * STOREY_STEP

const barnWidth = (hasRoof: boolean): number => (hasRoof ? BARN_WIDTH : STOREY_WIDTH)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** The number of storeys of each barn with which lights are largest, and the scale. */
function fit(groups: readonly number[], { width, height, hasRoof }: Room) {
  const least = hasRoof ? LEAST_STOREYS : 1
  const highest = Math.max(least, ...groups)
  let best = { storeys: least, barns: 1, scale: 0 }
  for (let storeys = least; storeys <= highest; storeys++) {
    const barns = Math.max(1, sum(groups.map((count) => Math.ceil(count / storeys))))
    const across = barns * barnWidth(hasRoof) + (barns - 1) * GAP
    const scale = Math.min(1, height / barnHeight(storeys, hasRoof), width / across)
    const most = hasRoof ? COMFORTABLE : 1
    const [worth, known] = [scale, best.scale].map((one) => Math.min(one, most))
    if (worth! > known! || (hasRoof && worth === known && barns < best.barns))
      best = { storeys, barns, scale }
  }
  return best
}

/** Places everything; nothing is larger than on the sign-in page. */
export function layOut(shapes: readonly UnitShape[], room: Room): Layout {
  const { width, height, hasRoof } = room
  const groups = rowsOf(shapes)
  const margin = hasRoof ? MARGIN.barns : MARGIN.strip
  const {
    storeys: high,
    barns: count,
    scale,
  } = fit(
    groups.map(({ length }) => length),
    { width: width - 2 * margin, height: height - (hasRoof ? 1 : 2) * margin, hasRoof },
  )
  const box = (x: number, y: number, across: number, down: number): Box => ({
    x: x * scale,
    y: y * scale,
    width: across * scale,
    height: down * scale,
  })
  const wide = barnWidth(hasRoof)
  const left = (width / scale - count * wide - (count - 1) * GAP) / 2
  const tall = barnHeight(high, hasRoof)
  // A strip has no gap below its last storey.
  const bottom = hasRoof
    ? height / scale
    : (height / scale + tall + STOREY_STEP - STOREY_HEIGHT) / 2
  const top = bottom - tall
  const layout: Layout = {
    width,
    height,
    scale,
    hasRoof,
    barns: [],
    storeys: [],
    units: shapes.map(() => ({ light: box(0, 0, 0, 0), instances: [], disks: [] })),
  }
  const columns = groups.flatMap((rows) =>
    Array.from({ length: Math.ceil(rows.length / high) }, (_, index) =>
      rows.slice(index * high, (index + 1) * high),
    ),
  )
  for (const [column, rows] of columns.entries()) {
    const x = left + column * (wide + GAP)
    layout.barns.push(box(x, top, wide, bottom - top))
    for (let row = 0; row < high; row++) {
      const storeyX = x + (wide - STOREY_WIDTH) / 2
      const y = top + (hasRoof ? ROOF_HEIGHT : 0) + row * STOREY_STEP
      const slotBox = (slot: number, from = 0, across = SLOT_WIDTH): Box =>
        box(storeyX + FIRST_SLOT + slot * SLOT_STEP + from, y + LIGHT_TOP, across, LIGHT_HEIGHT)
      const at = rows[row]
      const storey: Storey = {
        ...box(storeyX, y, STOREY_WIDTH, STOREY_HEIGHT),
        unit: at?.unit,
        isFirst: at?.part === 0,
        slots: [],
      }
      layout.storeys.push(storey)
      if (!at) continue
      const shape = shapes[at.unit]!
      const placed = layout.units[at.unit]!
      const firstDisk = storeysOf(shape) * SLOTS - Math.ceil(shape.disks / 2)
      if (at.part === 0) {
        const radius = UNIT_RADIUS
        placed.light = box(
          storeyX + UNIT_AT - radius,
          y + STOREY_HEIGHT / 2 - radius,
          2 * radius,
          2 * radius,
        )
      }
      for (let slot = 0; slot < SLOTS; slot++) {
        const place = at.part * SLOTS + slot
        if (place < firstDisk) {
          const one = slotBox(slot)
          storey.slots.push(one)
          if (place < shape.slots) placed.instances.push(one)
          continue
        }
        for (const from of [0, DISK_WIDTH + DISK_GAP]) {
          if (placed.disks.length < shape.disks) placed.disks.push(slotBox(slot, from, DISK_WIDTH))
        }
      }
    }
  }
  return layout
}

const centre = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })

/**
 * The light at a point: the nearest one, if it is near.
 * @param reach pixels beyond which nothing is meant
 * @returns its index, or -1
 */
export function lightAt(
  lights: readonly (Box | undefined)[],
  point: { x: number; y: number },
  reach: number,
): number {
  let nearest = -1
  let least = reach
  for (const [index, light] of lights.entries()) {
    if (!light) continue
    const dx = Math.max(light.x - point.x, 0, point.x - light.x - light.width)
    const dy = Math.max(light.y - point.y, 0, point.y - light.y - light.height)
    const distance = Math.hypot(dx, dy)
    if (distance < least) {
      least = distance
      nearest = index
    }
  }
  return nearest
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End'

/**
 * The light that a key leads to: along the lights, or to the nearest one in the next line above or
 * below. The same one where there is none.
 */
export function nextLight(lights: readonly Box[], from: number, key: Direction): number {
  const last = lights.length - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowLeft') return Math.max(0, from - 1)
  if (key === 'ArrowRight') return Math.min(last, from + 1)
  const { height } = lights[from]!
  const here = centre(lights[from]!)
  const way = key === 'ArrowUp' ? -1 : 1
  // Lights of one line have the same centre, but for rounding.
  const line = height / 4
  let found = from
  let least = { line: Number.POSITIVE_INFINITY, across: Number.POSITIVE_INFINITY }
  for (const [index, light] of lights.entries()) {
    const there = centre(light)
    const down = (there.y - here.y) * way
    if (down < line) continue
    const across = Math.abs(there.x - here.x)
    const nearer = down < least.line - line || (down < least.line + line && across < least.across)
    if (!nearer) continue
    found = index
    least = { line: down, across }
  }
  return found
}
