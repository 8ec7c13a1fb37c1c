import { useParams, useSearch } from '@tanstack/react-router'
import { ChartSpline } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'

const Explorer = lazyPart(() => import('./explorer.tsx').then((m) => ({ default: m.Explorer })))

const MetricsPage = ({ summary, children }: { summary: string; children: ReactNode }) => (
  <>
    <PageHeader title="Metrics" icon={<ChartSpline strokeWidth={1.5} aria-hidden />}>
      <DocsPopover topic="metrics" summary={summary} />
    </PageHeader>
    <Suspense fallback={<div className="mx-(--gutter) h-120 rounded-card border bg-raised" />}>
      {children}
    </Suspense>
  </>
)

/** Queries of a project's metrics. */
export function ProjectMetricsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project/metrics' })
  const search = useSearch({ from: '/shell/projects-crumb/projects/$project/metrics' })
  return (
    <MetricsPage summary="Metrics of the instances, disks and network interfaces of this project, queried in OxQL or by clicking.">
      <Explorer key={project} scope={{ project }} search={search} />
    </MetricsPage>
  )
}

/** Queries of all metrics, for operators. */
export function SystemMetricsPage() {
  const search = useSearch({ from: '/shell/system/system/metrics' })
  return (
    <MetricsPage summary="All metrics of the system: hardware, network, services, and the instances of all silos, queried in OxQL or by clicking.">
      <Explorer scope="system" search={search} />
    </MetricsPage>
  )
}
