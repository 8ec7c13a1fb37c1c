import type { Wire } from '@steading/api'
import type { Identity, SoftDeleted } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface VpcFirewallRuleTable extends Identity, SoftDeleted {
  vpc_id: string
  status: 'enabled' | 'disabled'
  direction: 'inbound' | 'outbound'
  /** JSON list. */
  targets: string
  /** JSON `{hosts, protocols, ports}`. */
  filters: string
  action: 'allow' | 'deny'
  priority: number
}

export const ruleTargets = jsonColumn<Wire.VpcFirewallRuleTarget[]>()
export const ruleFilters = jsonColumn<Wire.VpcFirewallRuleFilter>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc_firewall_rule: VpcFirewallRuleTable
  }
}
