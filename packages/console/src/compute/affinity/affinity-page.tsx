import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Group, Plus } from 'lucide-react'
import { useLivePolling } from '../../data/live.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { Banner } from '../../ui/banner.tsx'
import { groupColumns } from './columns.tsx'
import { useGroupActions } from './group-actions.tsx'
import { type GroupKind, groupKinds, groupPath, groupNoun } from './group-kinds.ts'
import { groupListDefinition, kindOfGroup, groupsQuery } from './queries.ts'
import { affinitySummary } from './group-cells.tsx'

const noun = { one: 'affinity group', many: 'affinity groups' }

export function AffinityPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => groupColumns(project), [project])
  const list = useListPage(groupListDefinition, { project }, columns, {
    refetchInterval: useLivePolling(10_000),
  })
  const all = groupKinds.filter((kind) => list.kinds.includes(kind))
  const bulk = useBulk({ all, of: kindOfGroup }, list, project)
  const actions = useGroupActions(project)
  useGroupQuickActions('anti_affinity_group', project)
  useGroupQuickActions('affinity_group', project)
  return (
    <ListPage
      title="Affinity Groups"
      label="Affinity groups"
      icon={Group}
      noun={noun}
      docs={{
        topic: 'affinity',
        summary: affinitySummary,
      }}
      reads={[
        'antiAffinityGroupList',
        'affinityGroupList',
        'antiAffinityGroupMemberList',
        'affinityGroupMemberList',
      ]}
      create={{
        label: 'New group',
        calls: 'antiAffinityGroupCreate',
        quickLabel: 'New affinity group',
        icon: Plus,
        path: pathTo('/projects/$project/affinity-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={(group) => actions(kindOfGroup(group), group)}
      above={
        list.lacking.includes('affinity_group') && (
          <div className="px-(--gutter) pb-3">
            <Banner>
              This control plane has no affinity groups, so these are the anti-affinity groups.
            </Banner>
          </div>
        )
      }
      empty={{
        title: 'No affinity groups',
        body: 'Create an affinity or anti-affinity group to see it here',
        create: 'New group',
      }}
    />
  )
}

function useGroupQuickActions(kind: GroupKind, project: string) {
  useListQuickActions(
    useMemo(
      () => ({
        all: groupsQuery(kind, project),
        group: `Go to ${groupNoun(kind)}`,
        pathOf: (group: string) => groupPath({ kind, project, group }),
      }),
      [kind, project],
    ),
  )
}
