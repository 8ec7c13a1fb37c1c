import type { Overview } from '@steading/api/client'
import type { OverviewScope } from '@steading/api/rules'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { useTerraformExport } from '../../tenancy/projects/export-terraform.ts'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { cx } from '../../ui/cx.ts'
import { SimulatedBadge } from '../../page/engine.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { projectQuery } from '../../page/parent-routes.ts'
import { QueryError } from '../../page/query-error.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { FirstSteps, hasOpenSteps } from '../briefings/first-steps.tsx'
import { Sentences } from '../briefings/sentences.tsx'
import { LightsPart } from '../lights/lights-part.tsx'
import { Attention } from './attention.tsx'
import { Charts } from './charts.tsx'
import { Inventory } from './inventory.tsx'
import { fleetOverviewQuery, projectOverviewQuery, siloOverviewQuery } from './queries.ts'
import { Timeline } from './timeline.tsx'
import { Truncate } from '../../ui/text.tsx'

export function ProjectOverviewPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const { description } = usePrefetchedQuery(projectQuery(project)).data
  return (
    <OverviewPage
      scope="project"
      title={project}
      description={description}
      read={useQuery(projectOverviewQuery(project))}
      project={project}
    />
  )
}

export function SiloOverviewPage() {
  const { siloName } = useCurrentUser()
  return <OverviewPage scope="silo" title={siloName} read={useQuery(siloOverviewQuery)} />
}

export const FleetOverviewPage = () => (
  <OverviewPage scope="fleet" title="Fleet" read={useQuery(fleetOverviewQuery)} />
)

type OverviewPageProps = {
  scope: OverviewScope
  title: string
  description?: string
  read: UseQueryResult<Overview>
  project?: string
}

function OverviewPage({ scope, title, description, read, project }: OverviewPageProps) {
  const { data, error, refetch } = read
  const exports = useTerraformExport()
  return (
    <>
      <PageHeader
        title={title}
        meta={
          <>
            <SimulatedBadge />
            {description && <Truncate text={description} className="text-secondary" />}
          </>
        }
      >
        <DocsPopover
          topic="overviews"
          summary="Open issues, resources by state, load, and changes of the last day. It updates itself."
        />
        <RefreshButton onRefresh={refetchShown} />
        {project !== undefined && <ActionMenu label="Project actions" actions={exports(project)} />}
      </PageHeader>
      {data && <QueryError error={error} onRetry={refetch} />}
      {data ? (
        <Sections overview={data} scope={scope} project={project} />
      ) : error ? (
        <LoadError what="The overview" error={error} onRetry={refetch} />
      ) : (
        <Loading />
      )}
    </>
  )
}

type SectionsProps = { overview: Overview; scope: OverviewScope; project: string | undefined }

function Sections({ overview, scope, project }: SectionsProps) {
  const { briefing, attention, inventory, capacity, charts, timeline } = overview
  const hasCharts = charts !== null && charts.length > 0
  return (
    <div className="flex flex-col gap-8 px-(--gutter) pb-10">
      <p className="-mb-3 text-secondary">
        <Sentences sentences={briefing.sentences} />
      </p>
      {hasOpenSteps(briefing) && <FirstSteps briefing={briefing} />}
      {attention && attention.items.length > 0 && <Attention attention={attention} />}
      <Inventory {...{ inventory, capacity, project }} />
      {scope !== 'project' && <LightsPart of={scope} />}
      {/* The right column is as high as the left one, and its list scrolls. */}
      <div
        className={cx(
          'grid items-stretch gap-x-10 gap-y-8',
          hasCharts &&
            'min-[1200px]:grid-cols-[minmax(0,1fr)_24rem] min-[2200px]:grid-cols-[minmax(0,1fr)_36rem]',
        )}
      >
        {hasCharts && <Charts {...{ charts, scope, project }} />}
        {timeline && <Timeline timeline={timeline} scope={scope} isBeside={hasCharts} />}
      </div>
    </div>
  )
}

const block = 'animate-pulse rounded-card bg-skeleton opacity-60'

/** The shape of an overview. */
const Loading = () => (
  <div
    role="status"
    aria-label="Loading the overview"
    className="flex flex-col gap-8 px-(--gutter)"
  >
    <div className={`h-6 ${block}`} />
    <div className={`h-24 ${block}`} />
    <div className={`h-32 ${block}`} />
    <div className="grid gap-x-10 gap-y-8 min-[1200px]:grid-cols-[minmax(0,1fr)_24rem]">
      <div className={`h-96 ${block}`} />
      <div className={`h-96 ${block}`} />
    </div>
  </div>
)
