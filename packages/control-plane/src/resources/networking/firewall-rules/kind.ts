import { storeTable } from '../../../kernel/db/tables.ts'
import './table.ts'

storeTable('vpc_firewall_rule', {
  marked: true,
  within: { vpc_id: 'vpc' },
  names: { vpc_firewall_rule_name: 'vpc-firewall-rule' },
})
