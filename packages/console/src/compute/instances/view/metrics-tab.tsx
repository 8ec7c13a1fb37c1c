import { Suspense } from 'react'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { InstanceTab } from './instance-tab.tsx'

const Metrics = lazyPart(() =>
  import('../metrics/instance-metrics.tsx').then((m) => ({ default: m.InstanceMetrics })),
)

/** The charts are loaded lazily. */
export const MetricsTab = () => (
  <InstanceTab tab="Metrics">
    <Suspense fallback={<div className="h-[550px]" aria-busy />}>
      <Metrics />
    </Suspense>
  </InstanceTab>
)
