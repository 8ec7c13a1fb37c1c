import { apiQuery } from '../../data/api.ts'
import { unlessLeaving, type VpcParams } from '../vpcs/queries.ts'

/** The rules of a VPC. */
export const firewallRulesQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcFirewallRulesView', { query: { project, vpc } }),
  ...unlessLeaving({ project, vpc }),
})
