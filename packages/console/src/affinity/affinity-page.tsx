import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Group, Plus } from 'lucide-react'
import { useLivePolling } from '../data/live.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { ListPage } from '../page/list-page.tsx'
import { useListPage } from '../page/use-list-page.ts'
import { pathTo } from '../shell/path-to.ts'
import { useListQuickActions } from '../shell/list-quick-actions.ts'
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
    <ListPage
      title="Affinity Groups"
      label="Anti-affinity groups"
      icon={Group}
      noun={noun}
      docs={{
        topic: 'affinity',
        summary: affinitySummary,
      }}
      reads={['antiAffinityGroupList', 'antiAffinityGroupMemberList']}
      create={{
        label: 'New group',
        calls: 'antiAffinityGroupCreate',
        quickLabel: 'New anti-affinity group',
        icon: Plus,
        path: pathTo('/projects/$project/affinity-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No anti-affinity groups',
        body: 'Create an anti-affinity group to see it here',
        create: 'New group',
      }}
    />
  )
}

function useGroupQuickActions(project: string) {
  useListQuickActions(
    useMemo(
      () => ({
        all: groupsQuery(project),
        group: 'Go to anti-affinity group',
        pathOf: (antiAffinityGroup: string) =>
          pathTo('/projects/$project/affinity/$antiAffinityGroup', { project, antiAffinityGroup }),
      }),
      [project],
    ),
  )
}
