import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Group, Plus } from 'lucide-react'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { pathTo } from '../shell/path-to.ts'
import { QueryError } from '../shell/query-error.tsx'
import { useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { Table } from '../ui/table.tsx'
import { groupColumns } from './columns.tsx'
import { useGroupActions } from './group-actions.tsx'
import { affinitySummary } from './policy.tsx'
import { groupsQuery } from './queries.ts'

export function AffinityPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const { data, error, refetch } = useQuery({
    ...groupsQuery(project),
    refetchInterval: useLivePolling(10_000),
  })
  const groups = data?.items
  const actions = useGroupActions(project)
  const columns = useMemo(() => groupColumns(project), [project])
  useQuickActions(
    useMemo(
      () => [
        {
          label: 'New anti-affinity group',
          path: pathTo('/projects/$project/affinity-new', { project }),
        },
        ...(groups ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to anti-affinity group',
          path: pathTo('/projects/$project/affinity/$antiAffinityGroup', {
            project,
            antiAffinityGroup: name,
          }),
        })),
      ],
      [groups, project],
    ),
  )
  return (
    <>
      <PageHeader title="Affinity Groups" icon={<Group strokeWidth={1.5} aria-hidden />}>
        <DocsPopover topic="affinity" summary={affinitySummary} />
        <RefreshButton
          onRefresh={() => invalidate('antiAffinityGroupList', 'antiAffinityGroupMemberList')}
        />
        <LinkButton
          to="/projects/$project/affinity-new"
          params={{ project }}
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          New group
        </LinkButton>
      </PageHeader>
      <QueryError error={error} onRetry={refetch} />
      <Table
        label="Anti-affinity groups"
        columns={columns}
        rows={groups}
        actions={actions}
        empty={
          <EmptyState
            icon={<Group size={20} strokeWidth={1.5} aria-hidden />}
            title="No anti-affinity groups"
            body="Create an anti-affinity group to see it here"
            action={
              <LinkButton
                to="/projects/$project/affinity-new"
                params={{ project }}
                variant="primary"
              >
                New group
              </LinkButton>
            }
          />
        }
      />
      <Outlet />
    </>
  )
}
