import { kinds } from '@steading/api/rules'
import type { StoredTables } from '../../../kernel/db/tables.ts'

export const firewallRuleTables: StoredTables = {
  vpc_firewall_rule: {
    noun: 'firewall rule',
    marked: true,
    within: { vpc_id: 'vpc' },
    names: { vpc_firewall_rule_name: kinds.vpc_firewall_rule.type },
  },
}
