import { useId, useMemo, useState, type ReactNode } from 'react'
import { SharedViewContext, type Span } from './zoom.ts'

/** Charts that share the crosshair and the part of the time that is looked at. */
export function ChartGroup({ range, children }: { range: Span; children: ReactNode }) {
  const key = useId()
  const [zoom, setZoom] = useState<Span>()
  // What has left the range is not looked at any more.
  const shown = zoom && zoom.to > range.from && zoom.from < range.to ? zoom : undefined
  const view = useMemo(() => ({ key, zoom: shown, setZoom }), [key, shown])
  return <SharedViewContext value={view}>{children}</SharedViewContext>
}
