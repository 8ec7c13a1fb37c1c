/** Charts drawn with uPlot. No other file depends on the library. */
import './known-language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type ChartData, mergedSpans, timeLabels, topOf } from './chart-data.ts'
import { BAND_HUE, BAND_STEP, type Colours, coloursFor, lookOf } from './look.ts'
import { onThemeChange } from '../theme-change.ts'
import type { Span } from './zoom.ts'

export const PLOT_HEIGHT = 300

export type Hover = {
  index: number
  /** Pixels from the left and right edge of the chart. */
  left: number
  right: number
  /** The pointer or the focus is in this chart rather than in another one of its group. */
  own: boolean
}

export type PlotOptions = {
  /** Charts with the same key share the crosshair. */
  group: string
  stepped: boolean
  /** Formats a value for the axis. */
  tick: (value: number) => string
  onZoom: (zoom: Span | undefined) => void
  /** Called with the point under the crosshair and its position. */
  onHover: (at: Hover | undefined) => void
}

export type Plot = {
  /** @param marked highlighted times */
  show: (data: ChartData, span: Span, marked: readonly Span[]) => void
  /** Moves the crosshair to a point, or hides it. */
  point: (index: number | undefined) => void
  canvas: HTMLCanvasElement
  colours: () => Colours
  destroy: () => void
}

const aligned = ({ times, series }: ChartData): uPlot.AlignedData =>
  [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData

/** Default width of the value axis; long labels widen it. */
const AXIS_WIDTH = 64

const FONT = '12px "Inter Variable", sans-serif'

const PADDING = 12

/** The width of the time labels of a range in pixels. */
function timeLabelWidth({ ctx }: uPlot, min: number, max: number): number {
  ctx.font = FONT
  const widths = timeLabels([min, max], min, max).map((label) => ctx.measureText(label).width)
  return Math.ceil(Math.max(...widths))
}

/** Half of the first time label in pixels, so that the left edge does not cut it. */
function roomOfFirstLabel(plot: uPlot): number {
  const { min, max } = plot.scales.x!
  if (min == null || max == null) return PADDING
  return PADDING + Math.ceil(timeLabelWidth(plot, min, max) / 2)
}

/** A band, hatched so that it is visible without colour. */
export function drawBand(
  context: CanvasRenderingContext2D,
  colours: Colours,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  const scale = devicePixelRatio
  // Even the shortest band is visible.
  const wide = Math.max(width, 3 * scale)
  context.save()
  context.beginPath()
  context.rect(left, top, wide, height)
  context.clip()
  context.fillStyle = colours.of(BAND_HUE)
  context.strokeStyle = colours.of(BAND_HUE)
  context.setLineDash([])
  context.globalAlpha = 0.12
  context.fillRect(left, top, wide, height)
  context.globalAlpha = 0.35
  context.lineWidth = scale
  context.beginPath()
  const step = BAND_STEP * scale
  // The hatching of adjacent bands is aligned.
  for (let x = left - height - (left % step); x < left + wide; x += step) {
    context.moveTo(x, top + height)
    context.lineTo(x + height, top)
  }
  context.stroke()
  context.globalAlpha = 0.6
  context.fillRect(left, top, scale, height)
  context.fillRect(left + wide - scale, top, scale, height)
  context.globalAlpha = 1
  context.fillRect(left, top, wide, 2 * scale)
  context.restore()
}

export function createPlot(element: HTMLElement, count: number, options: PlotOptions): Plot {
  const { group, stepped, tick, onZoom, onHover } = options
  let printing = false
  let colours = coloursFor(element, printing)
  const axis = { stroke: () => colours.of('--text-tertiary'), font: FONT }
  const grid = { stroke: () => colours.of('--line'), width: 1 }
  const ticks = { show: false }
  let marked: Span[] = []
  const lines = Array.from({ length: count }, (_, index): uPlot.Series => {
    const { hue, dash } = lookOf(index)
    return {
      stroke: () => colours.of(hue),
      width: 1.75,
      dash,
      // Only a lone series gets a filled area; several would hide each other.
      fill:
        count === 1 ? () => `color-mix(in oklch, ${colours.of(hue)} 22%, transparent)` : undefined,
      paths: stepped ? uPlot.paths.stepped!({ align: 1 }) : uPlot.paths.linear!(),
      points: { show: false },
      spanGaps: false,
    }
  })
  const plot = new uPlot(
    {
      width: Math.max(1, element.clientWidth),
      height: PLOT_HEIGHT,
      ms: 1,
      padding: [8, 0, 0, roomOfFirstLabel],
      legend: { show: false },
      scales: { x: { time: true, auto: false }, y: { range: (_, __, max) => [0, topOf(max)] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          ticks,
          size: 28,
          space: (plot, _, min, max) => Math.max(88, timeLabelWidth(plot, min, max) + 24),
          values: ({ scales }, splits) => timeLabels(splits, scales.x!.min!, scales.x!.max!),
        },
        {
          ...axis,
          side: 1,
          grid,
          ticks,
          size: ({ ctx }, labels) => {
            // No labels before the scale exists.
            ctx.font = FONT
            const widths = (labels ?? []).map((label) => ctx.measureText(label).width)
            return Math.max(AXIS_WIDTH, ...widths.map((width) => Math.ceil(width) + 16))
          },
          values: (_, splits) => splits.map((value) => (value === 0 ? '' : tick(value))),
        },
      ],
      series: [{}, ...lines],
      cursor: {
        sync: { key: group, setSeries: false },
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: 7 },
        bind: {
          dblclick: () => () => {
            onZoom(undefined)
            return null
          },
        },
      },
      hooks: {
        drawAxes: [
          (self) => {
            const { left, top, width, height } = self.bbox
            const { min = 0, max = 1 } = self.scales.x!
            for (const { from, to } of marked) {
              if (to < min || from > max) continue
              const begin = Math.max(left, self.valToPos(from, 'x', true))
              const end = Math.min(left + width, self.valToPos(to, 'x', true))
              drawBand(self.ctx, colours, { left: begin, top, width: end - begin, height })
            }
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width < 4) return
            onZoom({ from: self.posToVal(left, 'x'), to: self.posToVal(left + width, 'x') })
            self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
          },
        ],
        setCursor: [
          (self) => {
            const { idx, left = -1 } = self.cursor
            if (idx === null || idx === undefined || left < 0) return onHover(undefined)
            const at = self.valToPos(self.data[0][idx]!, 'x') + self.over.offsetLeft
            onHover({
              index: idx,
              left: at,
              right: self.width - at,
              own: Boolean(self.cursor.event) || element.matches(':focus-within'),
            })
          },
        ],
      },
    },
    [[], ...lines.map(() => [])] as unknown as uPlot.AlignedData,
    element,
  )

  const recolour = () => {
    colours = coloursFor(element, printing)
    plot.redraw(false)
  }
  const sizes = new ResizeObserver(() => {
    if (element.clientWidth > 0 && element.clientWidth !== plot.width) {
      plot.setSize({ width: element.clientWidth, height: PLOT_HEIGHT })
    }
  })
  sizes.observe(element)
  const stopTheme = onThemeChange(recolour)
  const onPrint = ({ type }: Event) => {
    printing = type === 'beforeprint'
    recolour()
  }
  addEventListener('beforeprint', onPrint)
  addEventListener('afterprint', onPrint)

  let drawn: ChartData | undefined
  let given: readonly Span[] | undefined
  return {
    show(data, { from, to }, spans) {
      const remarked = spans !== given
      given = spans
      if (remarked) marked = mergedSpans(spans)
      plot.batch(() => {
        // Panning and zooming do not reload unchanged points.
        if (data !== drawn) plot.setData(aligned(data), false)
        drawn = data
        plot.setScale('x', { min: from, max: to })
      })
      if (remarked) plot.redraw(false)
    },
    point(index) {
      const time = index === undefined ? undefined : plot.data[0][index]
      const left = time === undefined ? -10 : plot.valToPos(time, 'x')
      plot.setCursor({ left, top: time === undefined ? -10 : 0 })
    },
    canvas: plot.ctx.canvas,
    colours: () => colours,
    destroy() {
      sizes.disconnect()
      stopTheme()
      removeEventListener('beforeprint', onPrint)
      removeEventListener('afterprint', onPrint)
      plot.destroy()
    },
  }
}
