import { useQuery } from '@tanstack/react-query'
import { createdColumn, descriptionColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { EmptyCell } from '../ui/text.tsx'
import { Tip } from '../ui/tooltip.tsx'
import type { GroupRow } from './list.ts'
import { GroupTypeTag, PolicyTag, policyHelp } from './policy.tsx'
import { membersQuery, type GroupParams } from './queries.ts'

export const groupColumns = (project: string): Column<GroupRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink
        to="/projects/$project/affinity/$antiAffinityGroup"
        params={{ project, antiAffinityGroup: name }}
      >
        {name}
      </CellLink>
    ),
  },
  { id: 'type', header: 'type', width: 144, cell: () => <GroupTypeTag /> },
  {
    id: 'instances',
    header: 'instances',
    width: 112,
    align: 'end',
    cell: ({ name, memberCount }) =>
      memberCount === undefined ? (
        <MemberCount project={project} antiAffinityGroup={name} />
      ) : (
        memberCount || null
      ),
  },
  {
    id: 'policy',
    header: 'Policy',
    width: 120,
    phone: 'first',
    sort: 'policy',
    tip: <Tip>{policyHelp}</Tip>,
    cell: ({ policy }) => <PolicyTag policy={policy} />,
  },
  { ...createdColumn, phone: 'second' },
  { ...descriptionColumn, optional: true },
]

/** Reads the members, where the list does not contain their number. */
function MemberCount(params: GroupParams) {
  const { data, isPending } = useQuery(membersQuery(params))
  if (isPending) return <SkeletonCell width="w-6" />
  return data?.items.length ? <>{data.items.length}</> : <EmptyCell />
}
