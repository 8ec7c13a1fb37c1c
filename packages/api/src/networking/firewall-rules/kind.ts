import { networking } from '../../rules/roles.ts'
import { networkReads } from '../reachability/rules.ts'
import type { Kind } from '../../kinds/kind.ts'

/**
 * The firewall rules of a VPC. They are only replaced as a whole, with new ids, so events are about
 * the set and have the id and the name of the VPC.
 */
export const vpc_firewall_rule = {
  words: 'firewall rule',
  resource: 'firewall-rules',
  access: networking,
  parent: 'vpc',
  // Lists of VPCs show the number of their rules.
  reads: ['vpc_firewall_rules_view', 'vpc_list', 'vpc_deletion', ...networkReads],
} as const satisfies Kind
