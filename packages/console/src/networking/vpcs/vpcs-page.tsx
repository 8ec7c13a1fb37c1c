import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { apiQuery } from '../../data/api.ts'
import type { ListColumn } from '../../page/columns.tsx'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { CellLink } from '../../ui/link.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell, Truncate } from '../../ui/text.tsx'
import { vpcHome, vpcListDefinition, type VpcParams, type VpcRow } from './queries.ts'
import { useVpcActions, vpcDocs } from './vpc-actions.tsx'

const columns = ({ project }: { project: string }): ListColumn<VpcRow>[] => [
  'name',
  {
    id: 'dns-name',
    header: 'DNS name',
    sort: 'dns_name',
    width: 176,
    phone: 'second',
    cell: ({ dnsName }) => <Truncate text={dnsName} />,
  },
  'description',
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
  'created',
]

/** Count of firewall rules, read separately if the list does not include it. */
function RuleCount(query: VpcParams) {
  const { data, isPending } = useQuery(apiQuery('vpcFirewallRulesView', { query }))
  if (isPending) return <SkeletonCell width="w-6" />
  return data ? data.rules.length : <EmptyCell />
}

const vpcs = resourceList({
  list: vpcListDefinition,
  noun: 'VPC',
  icon: Network,
  docs: vpcDocs,
  path: '/projects/$project/vpcs',
  item: vpcHome,
  columns,
  create: { calls: 'vpcCreate' },
  bulk: true,
})

export function VpcsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  return <ResourceList of={vpcs} within={{ project }} actions={useVpcActions(project)} />
}
