import type { Kind } from '../../kinds/kind.ts'
import { computing, operating } from '../../rules/roles.ts'

/** A rule of a project, about its own time series. */
export const alert_rule = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing alert_rule as an ID project should not be specified',
    neither: 'alert_rule should either be a UUID or project should be specified',
  },
  listed: true,
  reads: [
    'issue_list',
    'firing_alert_list',
    'instance_briefing',
    'alert_rule_search',
    'alert_rule_series_list',
    'alert_rule_firing_list',
  ],
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const satisfies Kind

/** An operators' rule about all time series. */
export const system_alert_rule = {
  type: 'alert-rule',
  words: 'system alert rule',
  resource: 'system-alert-rules',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'firing_alert_list',
    'instance_briefing',
    'system_alert_rule_search',
    'system_alert_rule_series_list',
    'system_alert_rule_firing_list',
  ],
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const satisfies Kind
