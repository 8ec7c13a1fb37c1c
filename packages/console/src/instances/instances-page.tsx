import type { Instance } from '@steading/api/client'
import { Outlet, useParams } from '@tanstack/react-router'
import { usePaginatedQuery } from '../data/pagination.ts'
import { BottomBar } from '../shell/bottom-bar.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { DateTime } from '../ui/time.tsx'

const columns: Column<Instance>[] = [
  { header: 'name', cell: ({ name }) => name },
  { header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

export function InstancesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const { rows, pagination } = usePaginatedQuery('instanceList', { query: { project } })
  return (
    <>
      <PageHeader title="Instances" />
      <Table
        label="Instances"
        columns={columns}
        rows={rows}
        empty={<EmptyState title="No instances" body="Create an instance to see it here" />}
      />
      <BottomBar>{rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
      <Outlet />
    </>
  )
}
