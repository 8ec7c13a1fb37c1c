import { apiQuery } from '../data/api.ts'
import { unlessLeaving, type VpcParams } from '../vpcs/queries.ts'

/** The rules of a VPC. Each answer stays the object that the client has made, with its entity tag. */
export const firewallRulesQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcFirewallRulesView', { query: { project, vpc } }, { structuralSharing: false }),
  ...unlessLeaving({ project, vpc }),
})
