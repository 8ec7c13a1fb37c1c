import type { Operation } from '../../operation.ts'
import { NameOrId } from '../../schema.ts'
import { VpcFirewallRules, VpcFirewallRuleUpdateParams } from './schemas.ts'

const tags = ['vpcs']
const query = { project: NameOrId.optional(), vpc: NameOrId }

export const firewallRuleOperations = {
  vpc_firewall_rules_view: {
    method: 'GET',
    path: '/v1/vpc-firewall-rules',
    tags,
    summary: 'List the firewall rules of a VPC',
    permission: { vpc: 'read' },
    query,
    success: { status: 200, schema: VpcFirewallRules },
  },
  vpc_firewall_rules_update: {
    method: 'PUT',
    path: '/v1/vpc-firewall-rules',
    tags,
    summary: 'Replace the firewall rules of a VPC',
    permission: { vpc: 'modify' },
    query,
    body: VpcFirewallRuleUpdateParams,
    versioned: 'firewall_rules',
    success: { status: 200, schema: VpcFirewallRules },
  },
} as const satisfies Record<string, Operation>
