import { createContext, useContext } from 'react'

/** A span of time in milliseconds. */
export type Span = { from: number; to: number }

/** Shared state of a page's charts: the crosshair by its key, and the zoom. */
export type SharedView = {
  key: string
  zoom: Span | undefined
  setZoom: (zoom: Span | undefined) => void
}

export const SharedViewContext = createContext<SharedView | undefined>(undefined)

export function useSharedView(): SharedView {
  const view = useContext(SharedViewContext)
  if (!view) throw new Error('A chart stands in a ChartGroup')
  return view
}

/** The shortest visible span. */
const LEAST_MS = 1000

/** Zooms a span around its middle, within the whole. */
export function scaled({ from, to }: Span, factor: number, whole: Span): Span | undefined {
  const middle = (from + to) / 2
  const half = Math.max((to - from) * factor, LEAST_MS) / 2
  const next = { from: Math.max(whole.from, middle - half), to: Math.min(whole.to, middle + half) }
  return next.from <= whole.from && next.to >= whole.to ? undefined : next
}

/** Moves a span by a fraction of its length, within the whole. */
export function moved({ from, to }: Span, part: number, whole: Span): Span {
  const wanted = (to - from) * part
  const way = Math.min(Math.max(wanted, whole.from - from), whole.to - to)
  return { from: from + way, to: to + way }
}
