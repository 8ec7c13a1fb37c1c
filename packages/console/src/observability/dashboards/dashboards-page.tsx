import type { Dashboard } from '@steading/api/client'
import type { DashboardSharing } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LayoutDashboard, Plus } from 'lucide-react'
import { useState } from 'react'
import { LoadedTable } from '../../page/loaded-table.tsx'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Banner } from '../../ui/banner.tsx'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { DateTime } from '../../ui/time.tsx'
import { dashboardPath } from './paths.ts'
import { dashboardListQuery } from './queries.ts'
import { readyMadeFor } from './ready-made.ts'
import { SharingTag } from './sharing.tsx'

const NewDashboardForm = lazyPart(() =>
  import('./dashboard-form.tsx').then((m) => ({ default: m.NewDashboardForm })),
)

export function ProjectDashboardsPage() {
  const from = '/shell/projects-crumb/projects/$project/dashboards/dashboards'
  const { project } = useParams({ from })
  return <DashboardsPage scope={{ project }} add={useSearch({ from }).add} />
}

export function SystemDashboardsPage() {
  const { add } = useSearch({ from: '/shell/system/dashboards/system/dashboards' })
  return <DashboardsPage scope="system" add={add} />
}

type Listed = {
  id: string
  name: string
  description: string
  charts: number
  /** Undefined for ready-made dashboards. */
  sharing?: DashboardSharing
  timeModified?: Date
  path: string
}

const columns: Column<Listed>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name, path }) => <CellLink to={path}>{name}</CellLink>,
  },
  {
    id: 'description',
    header: 'description',
    phone: 'second',
    cell: ({ description }) => <span className="truncate">{description}</span>,
  },
  { id: 'charts', header: 'charts', width: 88, cell: ({ charts }) => charts },
  {
    id: 'sharing',
    header: 'shared with',
    width: 128,
    phone: 'second',
    labelled: true,
    cell: ({ sharing }) => (sharing ? <SharingTag sharing={sharing} /> : <Tag>Ready-made</Tag>),
  },
  {
    id: 'modified',
    header: 'changed',
    width: 176,
    cell: ({ timeModified }) => timeModified && <DateTime date={timeModified} />,
  },
]

type DashboardsPageProps = { scope: QueryScope; add: string | undefined }

/** Saved and ready-made dashboards. */
function DashboardsPage({ scope, add }: DashboardsPageProps) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(dashboardListQuery(scope))
  const [creating, setCreating] = useState(false)
  const saved = (data?.items ?? []).map(
    ({ id, name, description, charts, sharing, timeModified }: Dashboard): Listed => ({
      id,
      name,
      description,
      charts: charts.length,
      sharing,
      timeModified,
      path: dashboardPath(scope, id, add),
    }),
  )
  const ready = readyMadeFor(scope === 'system' ? 'system' : 'project').map(
    ({ id, name, description, charts }): Listed => ({
      id,
      name,
      description,
      charts: charts.length,
      path: dashboardPath(scope, id),
    }),
  )
  const rows = data && (add === undefined ? [...saved, ...ready] : saved)
  return (
    <>
      <PageHeader title="Dashboards" icon={<LayoutDashboard strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="dashboards"
          summary="A dashboard shows several queries of metrics as charts that share their time. It is yours alone, or shared in a project or the silo; its viewers see only data that they have access to."
        />
        <Button
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => setCreating(true)}
        >
          New dashboard
        </Button>
      </PageHeader>
      {add !== undefined && (
        <div className="px-(--gutter) pb-4">
          <Banner>Choose the dashboard to which the chart is added, or make a new one.</Banner>
        </div>
      )}
      <LoadedTable
        what="The dashboards"
        label="Dashboards"
        columns={columns}
        read={{ rows, error, refetch }}
        empty={{
          icon: LayoutDashboard,
          title: 'No dashboards',
          body: 'There are no dashboards to add a chart to.',
        }}
      />
      {creating && (
        <DialogPart onDismiss={() => setCreating(false)}>
          <NewDashboardForm
            scope={scope}
            title="New dashboard"
            content={{ name: '', description: '', charts: [] }}
            onSaved={({ id }) => void navigate({ to: dashboardPath(scope, id, add) })}
            onDismiss={() => setCreating(false)}
          />
        </DialogPart>
      )}
    </>
  )
}
