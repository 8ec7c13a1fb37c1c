import { useEffect, useEffectEvent, useId, useMemo, useState, type ReactNode } from 'react'
import { SharedViewContext, type Span } from './zoom.ts'

type ChartGroupProps = {
  range: Span
  /** Called when zooming begins and when it ends. */
  onZoomed?: (zoomed: boolean) => void
  children: ReactNode
}

/** Charts that share the crosshair and the zoom. */
export function ChartGroup({ range, onZoomed, children }: ChartGroupProps) {
  const key = useId()
  const [zoom, setZoom] = useState<Span>()
  // Ignore a zoom that the range has left behind.
  const shown = zoom && zoom.to > range.from && zoom.from < range.to ? zoom : undefined
  const zoomed = shown !== undefined
  const tell = useEffectEvent((now: boolean) => onZoomed?.(now))
  useEffect(() => {
    if (!zoomed) return
    tell(true)
    return () => tell(false)
  }, [zoomed])
  const view = useMemo(() => ({ key, zoom: shown, setZoom }), [key, shown])
  return <SharedViewContext value={view}>{children}</SharedViewContext>
}
