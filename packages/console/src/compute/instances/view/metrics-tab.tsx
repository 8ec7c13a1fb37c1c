import { Suspense } from 'react'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'

const Metrics = lazyPart(() =>
  import('../metrics/instance-metrics.tsx').then((m) => ({ default: m.InstanceMetrics })),
)

/** The charts are loaded lazily. */
export const MetricsTab = () => (
  <TabPanel of={instanceTabs} tab="Metrics">
    <Suspense fallback={<div className="h-[550px]" aria-busy />}>
      <Metrics />
    </Suspense>
  </TabPanel>
)
