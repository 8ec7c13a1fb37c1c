import { NameOrId } from '../../schema.ts'
import { VpcFirewallRules, VpcFirewallRuleUpdateParams } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const query = { project: NameOrId.optional(), vpc: NameOrId }

export const firewallRuleOperations = usual('vpc', {
  item: VpcFirewallRules,
  id: 'vpc_firewall_rules',
  path: '/v1/vpc-firewall-rules',
  tag: 'vpcs',
})({
  vpc_firewall_rules_view: { summary: 'List the firewall rules of a VPC', query },
  vpc_firewall_rules_update: {
    summary: 'Replace the firewall rules of a VPC',
    query,
    body: VpcFirewallRuleUpdateParams,
    versioned: 'firewall_rules',
    changes: ['vpc_firewall_rule'],
  },
})
