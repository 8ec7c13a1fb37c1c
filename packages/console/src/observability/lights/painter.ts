/** Draws a picture on a canvas, and again only when something changes. */
import type { StateTone } from '../../ui/state-badge.tsx'
import { onThemeChange } from '../../ui/theme-change.ts'
import { BARN_WIDTH, type Box, type Layout, ROOF_HEIGHT } from './layout.ts'
import type { Light } from './model.ts'

export interface PlacedLight {
  light: Light
  box: Box
}

export interface Scene {
  layout: Layout
  lights: readonly PlacedLight[]
}

/** For how long a light blinks when its state changes, and how often. Milliseconds. */
const BLINKS_MS = 1_500
const BLINK_MS = 500

const reduced = matchMedia('(prefers-reduced-motion: reduce)')
const forced = matchMedia('(forced-colors: active)')

interface Palette {
  tones: Record<StateTone, string>
  place: string
  roof: (row: number) => string
  storey: string
  frame: string
  dark: string
  ground: string
  ring: string
}

function paletteAt(element: HTMLElement): Palette {
  if (forced.matches) {
    const text = 'CanvasText'
    return {
      tones: { works: text, off: text, changing: text, attention: text, failed: text },
      place: text,
      roof: () => text,
      storey: 'Canvas',
      frame: text,
      dark: 'Canvas',
      ground: text,
      ring: 'Highlight',
    }
  }
  const style = getComputedStyle(element)
  const of = (token: string) => style.getPropertyValue(token)
  const [accent, sunken] = [of('--accent-solid'), of('--surface-sunken')]
  return {
    tones: {
      works: of('--green-solid'),
      off: of('--line-control'),
      changing: of('--amber-solid'),
      attention: of('--amber-solid'),
      failed: of('--red-solid'),
    },
    place: of('--accent-text'),
    roof: (row) => `color-mix(in oklch, ${accent} ${100 - row * 3}%, ${sunken})`,
    storey: of('--surface-raised'),
    frame: of('--line'),
    dark: of('--surface-skeleton'),
    ground: of('--line-strong'),
    ring: of('--text-primary'),
  }
}

/** A number from 0 to 1 that looks random, equal for equal ids. */
function scattered(id: string): number {
  let hash = 0
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) | 0
  return (hash >>> 0) / 2 ** 32
}

const ROOF_ROWS = 19

function paintRoof(context: CanvasRenderingContext2D, barn: Box, palette: Palette): void {
  const scale = barn.width / BARN_WIDTH
  const at = (x: number, y: number) => [barn.x + x * scale, barn.y + y * scale] as const
  context.save()
  context.beginPath()
  // A gambrel, as in the mark.
  for (const [x, y] of [
    [240, 0],
    [388, 78],
    [480, ROOF_HEIGHT - 8],
    [0, ROOF_HEIGHT - 8],
    [92, 78],
  ] as const) {
    context.lineTo(...at(x, y))
  }
  context.clip()
  for (let row = 0; row < ROOF_ROWS; row++) {
    context.fillStyle = palette.roof(row)
    context.fillRect(...at(0, row * 13.2), BARN_WIDTH * scale, 10 * scale)
  }
  context.restore()
}

function rounded(context: CanvasRenderingContext2D, box: Box, radius: number): void {
  context.beginPath()
  context.roundRect(box.x, box.y, box.width, box.height, radius)
}

/** The shape of a state, so that it is seen without colour as well. */
function paintLight(
  context: CanvasRenderingContext2D,
  { light: { id, kind, tone }, box }: PlacedLight,
  { palette, scale }: { palette: Palette; scale: number },
): void {
  const colour = tone ? palette.tones[tone] : palette.place
  context.fillStyle = colour
  context.strokeStyle = colour
  const line = Math.max(1, 1.5 * scale)
  context.lineWidth = line
  const isRound = kind === 'sled' || kind === 'project'
  const radius = isRound ? box.width / 2 : 2.5 * scale
  const within: Box = {
    x: box.x + line / 2,
    y: box.y + line / 2,
    width: Math.max(0, box.width - line),
    height: Math.max(0, box.height - line),
  }
  if (tone === 'off') {
    rounded(context, within, radius)
    context.stroke()
    return
  }
  if (tone === 'changing') {
    rounded(context, within, radius)
    context.stroke()
    context.fillRect(box.x, box.y + box.height / 2, box.width, box.height / 2)
    return
  }
  if (tone === 'failed') {
    const taller = box.height * 0.35
    rounded(context, { ...box, y: box.y - taller, height: box.height + 2 * taller }, radius)
    context.fill()
    return
  }
  if (tone === 'attention') {
    // Two halves.
    const part = box.width * 0.4
    rounded(context, { ...box, width: part }, Math.min(radius, part / 2))
    context.fill()
    rounded(
      context,
      { ...box, x: box.x + box.width - part, width: part },
      Math.min(radius, part / 2),
    )
    context.fill()
    return
  }
  const alpha = context.globalAlpha
  // As lively as the picture of the sign-in page.
  if (!isRound && !forced.matches) context.globalAlpha = alpha * (0.62 + 0.38 * scattered(id))
  rounded(context, box, radius)
  context.fill()
  context.globalAlpha = alpha
}

export interface Painter {
  show: (scene: Scene) => void
  /** Marks a light, or none. */
  point: (light: Box | undefined) => void
  destroy: () => void
}

export function createPainter(canvas: HTMLCanvasElement): Painter {
  const context = canvas.getContext('2d')!
  const still = document.createElement('canvas')
  const stillContext = still.getContext('2d')!
  let palette = paletteAt(canvas)
  let scene: Scene | undefined
  let marked: Box | undefined
  let frame: number | undefined
  let states: ReadonlyMap<string, string> | undefined
  /** Blinking lights and when they began. */
  const blinking = new Map<string, number>()

  function paintStill() {
    if (!scene) return
    const { layout, lights } = scene
    const density = devicePixelRatio
    for (const one of [canvas, still]) {
      const [width, height] = [layout.width, layout.height].map((side) =>
        Math.round(side * density),
      )
      // Setting a size clears the canvas, even the same size.
      if (one.width !== width) one.width = width!
      if (one.height !== height) one.height = height!
    }
    const pen = stillContext
    pen.setTransform(density, 0, 0, density, 0, 0)
    pen.clearRect(0, 0, layout.width, layout.height)
    const { scale } = layout
    if (layout.hasRoof) for (const barn of layout.barns) paintRoof(pen, barn, palette)
    pen.lineWidth = 1
    for (const storey of layout.storeys) {
      rounded(pen, storey, 5 * scale)
      pen.fillStyle = palette.storey
      pen.fill()
      pen.strokeStyle = palette.frame
      pen.stroke()
    }
    pen.fillStyle = palette.dark
    pen.beginPath()
    for (const { slots } of layout.storeys) {
      for (const { x, y, width, height } of slots) pen.roundRect(x, y, width, height, 2.5 * scale)
    }
    pen.fill()
    if (layout.hasRoof) {
      pen.fillStyle = palette.ground
      pen.fillRect(0, layout.height - 1, layout.width, 1)
    }
    for (const placed of lights) {
      if (!blinking.has(placed.light.id)) paintLight(pen, placed, { palette, scale })
    }
  }

  function paint(now: number) {
    frame = undefined
    if (!scene) return
    const { layout, lights } = scene
    let ended = false
    for (const [id, since] of blinking) {
      if (now - since < BLINKS_MS) continue
      blinking.delete(id)
      ended = true
    }
    if (ended) paintStill()
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.drawImage(still, 0, 0)
    const density = devicePixelRatio
    context.setTransform(density, 0, 0, density, 0, 0)
    if (blinking.size > 0) {
      for (const placed of lights) {
        const since = blinking.get(placed.light.id)
        if (since === undefined) continue
        const phase = ((now - since) / BLINK_MS) * 2 * Math.PI
        context.globalAlpha = Math.min(1, Math.max(0, 0.6 - 0.4 * Math.cos(phase)))
        paintLight(context, placed, { palette, scale: layout.scale })
      }
      context.globalAlpha = 1
    }
    if (marked) {
      const { x, y, width, height } = marked
      context.strokeStyle = palette.ring
      context.lineWidth = 1.5
      rounded(context, { x: x - 2.5, y: y - 2.5, width: width + 5, height: height + 5 }, 4)
      context.stroke()
    }
    if (blinking.size > 0) request()
  }

  /** One drawing per frame, while something changes. */
  function request() {
    frame ??= requestAnimationFrame(paint)
  }

  const stopTheme = onThemeChange(() => {
    palette = paletteAt(canvas)
    paintStill()
    request()
  })

  return {
    show(next) {
      scene = next
      const now = new Map(next.lights.map(({ light: { id, state } }) => [id, state]))
      if (states && !reduced.matches) {
        const begin = performance.now()
        for (const [id, state] of now) if (states.get(id) !== state) blinking.set(id, begin)
      }
      states = now
      paintStill()
      request()
    },
    point(light) {
      if (marked === light) return
      marked = light
      request()
    },
    destroy() {
      stopTheme()
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
