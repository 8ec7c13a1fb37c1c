import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Group, Plus } from 'lucide-react'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
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
      <ListTable
        label="Anti-affinity groups"
        noun={noun}
        list={list}
        bulk={bulk}
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
