import type { Overview } from '@steading/api/client'
import type { OverviewScope } from '@steading/api/rules'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { useTerraformExport } from '../../tenancy/projects/export-terraform.ts'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { SimulatedBadge } from '../../page/engine.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { projectQuery } from '../../page/parent-routes.ts'
import { QueryError } from '../../page/query-error.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Attention } from './attention.tsx'
import { Charts } from './charts.tsx'
import { Inventory } from './inventory.tsx'
import { NextSteps } from './next-steps.tsx'
import { fleetOverviewQuery, projectOverviewQuery, siloOverviewQuery } from './queries.ts'
import { Timeline } from './timeline.tsx'

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
            {description && <span className="truncate text-secondary">{description}</span>}
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
  const { attention, inventory, capacity, charts, timeline, nextSteps } = overview
  const missing = nextSteps?.filter(({ done }) => !done) ?? []
  const isNew = missing.some(({ step }) => step === 'instance' || step === 'project')
  const steps = missing.length > 0 && (
    <NextSteps steps={nextSteps!} scope={scope} project={project} />
  )
  return (
    <div className="flex flex-col gap-8 px-(--gutter) pb-10">
      {isNew && steps}
      <Inventory {...{ inventory, capacity, project }} />
      <div className="grid items-start gap-x-10 gap-y-8 min-[1200px]:grid-cols-[minmax(0,1fr)_24rem] min-[2200px]:grid-cols-[minmax(0,1fr)_36rem]">
        <div className="flex min-w-0 flex-col gap-8">
          {attention && <Attention attention={attention} scope={scope} />}
          {charts && charts.length > 0 && <Charts {...{ charts, scope, project }} />}
          {!isNew && steps}
        </div>
        {timeline && <Timeline timeline={timeline} />}
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
    <div className={`h-32 ${block}`} />
    <div className="grid gap-x-10 gap-y-8 min-[1200px]:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex flex-col gap-8">
        <div className={`h-48 ${block}`} />
        <div className={`h-96 ${block}`} />
      </div>
      <div className={`h-96 ${block}`} />
    </div>
  </div>
)
