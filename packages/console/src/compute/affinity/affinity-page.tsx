import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Group } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { ListPage } from '../../page/list-page.tsx'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { Banner } from '../../ui/banner.tsx'
import { useGroupActions } from './group-actions.tsx'
import { type GroupKind, groupPath, type GroupParams } from './group-kinds.ts'
import { groupNoun } from './group-labels.ts'
import {
  groupListDefinition,
  kindOfGroup,
  groupsQuery,
  type GroupRow,
  membersQuery,
} from './queries.ts'
import { affinitySummary, GroupLink, GroupTypeTag, PolicyTag } from './group-cells.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'

const groupColumns = ({ project }: { project: string }): ListColumn<GroupRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: (row) => <GroupLink kind={kindOfGroup(row)} project={project} group={row.name} />,
  },
  {
    id: 'type',
    header: 'type',
    width: 144,
    phone: 'first',
    cell: (row) => <GroupTypeTag kind={kindOfGroup(row)} />,
  },
  {
    id: 'instances',
    header: 'instances',
    width: 112,
    align: 'end',
    cell: (row) =>
      row.memberCount === undefined ? (
        <MemberCount kind={kindOfGroup(row)} project={project} group={row.name} />
      ) : (
        row.memberCount || null
      ),
  },
  {
    id: 'policy',
    header: 'Policy',
    width: 120,
    phone: 'first',
    sort: 'policy',
    tip: (
      <HelpTip>
        Determines whether member instances are allowed to start when the rule of the group
        can&apos;t be satisfied.
      </HelpTip>
    ),
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
  { id: 'created', phone: 'second' },
  { id: 'description', optional: true },
]

/** Count of members, read separately if the list does not include it. */
function MemberCount(params: GroupParams) {
  const { data, isPending } = useQuery(membersQuery(params))
  if (isPending) return <SkeletonCell width="w-6" />
  return data?.items.length ? <>{data.items.length}</> : <EmptyCell />
}

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
