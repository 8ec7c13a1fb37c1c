import { alertRuleStates } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const ruleListDefinition: ListDefinition<'alertRuleSearch'> = {
  kind: 'alert_rule',
  id: 'alert-rules',
  operation: 'alertRuleSearch',
  searched: 'alertRuleSearch',
  filters: { state: alertRuleStates },
}

export const systemRuleListDefinition: ListDefinition<'systemAlertRuleSearch'> = {
  kind: 'system_alert_rule',
  id: 'system-alert-rules',
  operation: 'systemAlertRuleSearch',
  searched: 'systemAlertRuleSearch',
  filters: { state: alertRuleStates },
}
