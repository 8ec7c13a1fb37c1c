import type { ListedVpc, Vpc } from '@steading/api/client'
import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import type { TabsDefinition } from '../../page/page-tabs.tsx'

export const vpcListDefinition: ListDefinition<'vpcList'> = {
  kind: 'vpc',
  id: 'vpcs',
  operation: 'vpcList',
}

export const vpcTabs = {
  id: 'vpc',
  label: 'VPC',
  contents: 'list',
  tabs: [
    { label: 'Firewall Rules', to: '/projects/$project/vpcs/$vpc/firewall-rules' },
    { label: 'VPC Subnets', to: '/projects/$project/vpcs/$vpc/subnets' },
    { label: 'Routers', to: '/projects/$project/vpcs/$vpc/routers' },
    { label: 'Internet Gateways', to: '/projects/$project/vpcs/$vpc/internet-gateways' },
    {
      label: 'Topology',
      to: '/projects/$project/vpcs/$vpc/topology',
      needs: 'reachability',
    },
  ],
} as const satisfies TabsDefinition

/** The target of links to a VPC. */
export const vpcHome = vpcTabs.tabs[0].to

/** A VPC, with the number of its firewall rules if the control plane sends it. */
export type VpcRow = Vpc & Partial<Pick<ListedVpc, 'firewallRuleCount'>>

/** The path parameters of a VPC's page. */
export type VpcParams = { project: string; vpc: string }

export function useVpcParams(): VpcParams {
  const { project, vpc } = useParams({
    from: '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc',
  })
  return { project, vpc }
}

export const projectVpcsQuery = (project: string) =>
  apiQuery('vpcList', { query: { project, limit: ALL_ITEMS } })

/** VPCs being deleted by this tab: the deletion event must not refetch them. */
const deleting = new Set<string>()
const keyOf = ({ project, vpc }: VpcParams) => `${project}/${vpc}`
export const markVpcDeleting = (params: VpcParams): void => void deleting.add(keyOf(params))
export const unmarkVpcDeleting = (params: VpcParams): void => void deleting.delete(keyOf(params))

/** Stops refetching the reads of a VPC's page once the VPC is deleted here. */
export const unlessDeleting = (params: VpcParams) => ({
  enabled: () => !deleting.has(keyOf(params)),
})

/** Whether the network is in effect; only with the extension. */
export const vpcNetworkQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcNetworkStatusView', { path: { vpc }, query: { project } }),
  ...unlessDeleting({ project, vpc }),
})

export const vpcQuery = (params: VpcParams) => ({
  ...apiQuery('vpcView', { path: { vpc: params.vpc }, query: { project: params.project } }),
  ...unlessDeleting(params),
})

/** The rules of a VPC. */
export const firewallRulesQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcFirewallRulesView', { query: { project, vpc } }),
  ...unlessDeleting({ project, vpc }),
})
