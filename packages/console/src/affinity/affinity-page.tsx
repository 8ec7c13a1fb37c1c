import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Group, Plus } from 'lucide-react'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { useListPage } from '../data/list-page.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { BottomBar } from '../shell/bottom-bar.tsx'
import { pathTo } from '../shell/path-to.ts'
import { QueryError } from '../shell/query-error.tsx'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListControls, NothingMatches } from '../ui/list-controls/list-controls.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { Table } from '../ui/table.tsx'
import { groupColumns } from './columns.tsx'
import { useGroupActions } from './group-actions.tsx'
import { groupListDefinition } from './list.ts'
import { affinitySummary } from './policy.tsx'
import { groupsQuery } from './queries.ts'

const noun = { one: 'anti-affinity group', many: 'anti-affinity groups' }

export function AffinityPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => groupColumns(project), [project])
  const list = useListPage(groupListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const { rows, pagination, error, refetch, isFiltered, table, controls } = list
  const bulk = useBulk('anti_affinity_group', list, project)
  const actions = useGroupActions(project)
  useGroupQuickActions(project)
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
      <ListControls noun={noun} {...controls} />
      <Table
        label="Anti-affinity groups"
        {...table}
        rows={rows}
        selection={bulk.selection}
        actions={actions}
        empty={
          isFiltered ? (
            <NothingMatches noun={noun} onClear={controls.onClear} />
          ) : (
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
          )
        }
      />
      {bulk.bar}
      <BottomBar>{rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
      <Outlet />
    </>
  )
}

function useGroupQuickActions(project: string) {
  const all = useQuery({ ...groupsQuery(project), enabled: usePaletteOpen() }).data?.items
  useQuickActions(
    useMemo(
      () => [
        {
          label: 'New anti-affinity group',
          path: pathTo('/projects/$project/affinity-new', { project }),
        },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to anti-affinity group',
          path: pathTo('/projects/$project/affinity/$antiAffinityGroup', {
            project,
            antiAffinityGroup: name,
          }),
        })),
      ],
      [all, project],
    ),
  )
}
