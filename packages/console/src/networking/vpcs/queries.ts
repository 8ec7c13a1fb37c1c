import type { ListedVpc, Vpc } from '@steading/api/client'
import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const vpcListDefinition: ListDefinition<'vpcList'> = {
  kind: 'vpc',
  id: 'vpcs',
  operation: 'vpcList',
  searched: 'vpcSearch',
}

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
const leaving = new Set<string>()
const keyOf = ({ project, vpc }: VpcParams) => `${project}/${vpc}`
export const leaveVpc = (params: VpcParams): void => void leaving.add(keyOf(params))
export const stayAtVpc = (params: VpcParams): void => void leaving.delete(keyOf(params))

/** Stops refetching the reads of a VPC's page once the VPC is deleted here. */
export const unlessLeaving = (params: VpcParams) => ({
  enabled: () => !leaving.has(keyOf(params)),
})

export const vpcQuery = (params: VpcParams) => ({
  ...apiQuery('vpcView', { path: { vpc: params.vpc }, query: { project: params.project } }),
  ...unlessLeaving(params),
})

/** The rules of a VPC. */
export const firewallRulesQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcFirewallRulesView', { query: { project, vpc } }),
  ...unlessLeaving({ project, vpc }),
})
