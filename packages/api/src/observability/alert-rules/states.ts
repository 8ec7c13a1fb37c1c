/** State of a rule: the worst of its series, unless the rule is not evaluated. */
export const alertRuleStates = [
  'firing',
  'pending',
  'failing',
  'no_data',
  'ok',
  'waiting',
  'disabled',
] as const
export type AlertRuleState = (typeof alertRuleStates)[number]
