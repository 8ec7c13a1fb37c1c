import { useQuery } from '@tanstack/react-query'
import type { ListColumn } from '../../page/columns.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import type { GroupParams } from './group-kinds.ts'
import { GroupLink, GroupTypeTag, PolicyTag } from './group-cells.tsx'
import { type GroupRow, kindOfGroup, membersQuery } from './queries.ts'

export const groupColumns = ({ project }: { project: string }): ListColumn<GroupRow>[] => [
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
