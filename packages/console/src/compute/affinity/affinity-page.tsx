import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Group } from 'lucide-react'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { Banner } from '../../ui/banner.tsx'
import { groupColumns } from './columns.tsx'
import { useGroupActions } from './group-actions.tsx'
import { type GroupKind, groupPath, groupNoun } from './group-kinds.ts'
import { groupListDefinition, kindOfGroup, groupsQuery } from './queries.ts'
import { affinitySummary } from './group-cells.tsx'

const groups = resourceList({
  list: groupListDefinition,
  noun: 'affinity group',
  icon: Group,
  docs: { topic: 'affinity', summary: affinitySummary },
  path: '/projects/$project/affinity',
  columns: groupColumns,
  bulk: true,
  create: {
    label: 'New group',
    quickLabel: 'New affinity group',
    calls: 'antiAffinityGroupCreate',
  },
  empty: { body: 'Create an affinity or anti-affinity group to see it here' },
  alsoReads: ['antiAffinityGroupMemberList', 'affinityGroupMemberList'],
})

export function AffinityPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const page = useResourceList(groups, { project })
  const actions = useGroupActions(project)
  useGroupQuickActions('anti_affinity_group', project)
  useGroupQuickActions('affinity_group', project)
  return (
    <ListPage
      {...page}
      actions={(group) => actions(kindOfGroup(group), group)}
      above={
        page.list.lacking.includes('affinity_group') && (
          <div className="px-(--gutter) pb-3">
            <Banner>
              This control plane has no affinity groups, so these are the anti-affinity groups.
            </Banner>
          </div>
        )
      }
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
