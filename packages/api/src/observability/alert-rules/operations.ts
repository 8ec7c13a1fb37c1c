import { alertSeverities } from './rules.ts'
import { alertRuleStates } from './states.ts'
import { NameOrId, uuid } from '../../schema.ts'
import {
  AlertRule,
  AlertRuleCreate,
  AlertRuleFiring,
  AlertRuleSeriesList,
  AlertRuleTrial,
  AlertRuleTrialResult,
  AlertRuleUpdate,
  FiringAlerts,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const filters = { state: alertRuleStates, severity: alertSeverities }

export const alertRuleOperations = {
  ...usual('alert_rule', { item: AlertRule, path: '/x/v1/alert-rules/{alert_rule}' })({
    alert_rule_search: { columns: ['state'], filters },
    alert_rule_create: {
      summary: 'Create an alert rule about the time series of a project',
      body: AlertRuleCreate,
      actsLater: 'place',
    },
    alert_rule_try: {
      route: 'POST /x/v1/alert-rules/try',
      summary: 'Try out an alert rule of a project on current and past data',
      permission: { project: 'read' },
      query: { project: NameOrId },
      body: AlertRuleTrial,
      audited: false,
      transaction: 'none',
      success: { status: 200, schema: AlertRuleTrialResult },
    },
    alert_rule_view: {},
    alert_rule_update: {
      summary: 'Change an alert rule, or turn it on or off',
      body: AlertRuleUpdate,
      actsLater: 'place',
    },
    alert_rule_delete: {},
    alert_rule_series_list: {
      route: 'GET series',
      summary: 'List the series of an alert rule with their states',
      answer: AlertRuleSeriesList,
    },
    alert_rule_firing_list: {
      route: 'GET firings',
      summary: 'List the firings of an alert rule',
      pages: AlertRuleFiring,
      sort: 'time_and_id',
    },
  }),
  ...usual('system_alert_rule', { item: AlertRule, path: '/x/v1/system/alert-rules/{alert_rule}' })(
    {
      system_alert_rule_search: {
        summary: 'Search, filter and sort the alert rules of the system',
        items: 'SystemAlertRule',
        columns: ['state'],
        filters,
      },
      system_alert_rule_create: {
        summary: 'Create an alert rule about all time series',
        body: AlertRuleCreate,
        actsLater: 'place',
      },
      system_alert_rule_try: {
        route: 'POST /x/v1/system/alert-rules/try',
        summary: 'Try out an alert rule of the system on current and past data',
        permission: { fleet: 'read' },
        body: AlertRuleTrial,
        audited: false,
        transaction: 'none',
        success: { status: 200, schema: AlertRuleTrialResult },
      },
      system_alert_rule_view: { summary: 'Show an alert rule of the system' },
      system_alert_rule_update: {
        summary: 'Change an alert rule of the system, or turn it on or off',
        body: AlertRuleUpdate,
        actsLater: 'place',
      },
      system_alert_rule_delete: { summary: 'Delete an alert rule of the system' },
      system_alert_rule_series_list: {
        route: 'GET series',
        summary: 'List the series of an alert rule of the system with their states',
        answer: AlertRuleSeriesList,
      },
      system_alert_rule_firing_list: {
        route: 'GET firings',
        summary: 'List the firings of an alert rule of the system',
        pages: AlertRuleFiring,
        sort: 'time_and_id',
      },
      firing_alert_list: {
        route: 'GET /x/v1/firing-alerts',
        summary: 'List the firing alert rules that the caller may read',
        permission: 'session',
        evenIfLimited: true,
        query: { project: uuid.optional(), instance: uuid.optional(), disk: uuid.optional() },
        answer: FiringAlerts,
      },
    },
  ),
}
