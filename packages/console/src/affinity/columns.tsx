import type { AntiAffinityGroup } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { CellLink } from '../ui/link.tsx'
import { SkeletonCell, type Column } from '../ui/table.tsx'
import { EmptyCell } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'
import { Tip } from '../ui/tooltip.tsx'
import { GroupTypeBadge, PolicyBadge, policyHelp } from './policy.tsx'
import { membersQuery, type GroupParams } from './queries.ts'

export const groupColumns = (project: string): Column<AntiAffinityGroup>[] => [
  {
    header: 'name',
    cell: ({ name }) => (
      <CellLink
        to="/projects/$project/affinity/$antiAffinityGroup"
        params={{ project, antiAffinityGroup: name }}
        className="max-w-96 max-sm:max-w-36"
      >
        {name}
      </CellLink>
    ),
  },
  { header: 'type', cell: () => <GroupTypeBadge /> },
  {
    header: 'instances',
    align: 'end',
    cell: ({ name }) => <MemberCount project={project} antiAffinityGroup={name} />,
  },
  {
    header: 'Policy',
    tip: <Tip>{policyHelp}</Tip>,
    cell: ({ policy }) => <PolicyBadge policy={policy} />,
  },
  { header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function MemberCount(params: GroupParams) {
  const { data, isPending } = useQuery({ ...membersQuery(params), throwOnError: false })
  if (isPending) return <SkeletonCell width="w-6" />
  return data?.items.length ? <>{data.items.length}</> : <EmptyCell />
}
