import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell, Truncate } from '../../ui/text.tsx'
import type { VpcRow, VpcParams } from './queries.ts'
import { vpcHome } from './queries.ts'

export const vpcColumns = (project: string): Column<VpcRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to={vpcHome} params={{ project, vpc: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'dns-name',
    header: 'DNS name',
    sort: 'dns_name',
    width: 176,
    phone: 'second',
    cell: ({ dnsName }) => <Truncate text={dnsName} />,
  },
  descriptionColumn,
  {
    id: 'firewall-rules',
    header: 'Firewall Rules',
    align: 'end',
    width: 140,
    cell: ({ name, firewallRuleCount }) => (
      <CellLink to={vpcHome} params={{ project, vpc: name }}>
        {firewallRuleCount ?? <RuleCount project={project} vpc={name} />}
      </CellLink>
    ),
  },
  createdColumn,
]

/** Count of firewall rules, read separately if the list does not include it. */
function RuleCount(query: VpcParams) {
  const { data, isPending } = useQuery(apiQuery('vpcFirewallRulesView', { query }))
  if (isPending) return <SkeletonCell width="w-6" />
  return data ? data.rules.length : <EmptyCell />
}
