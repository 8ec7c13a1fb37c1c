import type { Operation } from '../../operation.ts'
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

const tags = ['extensions']
const filters = { state: alertRuleStates, severity: alertSeverities }

export const alertRuleOperations = {
  ...usual('alert_rule', { item: AlertRule, path: '/x/v1/alert-rules/{alert_rule}' })({
    search: { columns: ['state'], filters },
    create: {
      summary: 'Create an alert rule about the time series of a project',
      body: AlertRuleCreate,
      actsLater: 'place',
    },
    try: {
      route: 'POST /x/v1/alert-rules/try',
      summary: 'Try out an alert rule of a project on current and past data',
      permission: { project: 'read' },
      query: { project: NameOrId },
      body: AlertRuleTrial,
      audited: false,
      transaction: 'none',
      success: { status: 200, schema: AlertRuleTrialResult },
    },
    view: {},
    update: {
      summary: 'Change an alert rule, or turn it on or off',
      body: AlertRuleUpdate,
      actsLater: 'place',
    },
    delete: {},
    series_list: {
      route: 'GET series',
      summary: 'List the series of an alert rule with their states',
      answer: AlertRuleSeriesList,
    },
    firing_list: {
      route: 'GET firings',
      summary: 'List the firings of an alert rule',
      pages: AlertRuleFiring,
      sort: 'time_and_id',
    },
  }),
  ...usual('system_alert_rule', { item: AlertRule, path: '/x/v1/system/alert-rules/{alert_rule}' })(
    {
      search: {
        summary: 'Search, filter and sort the alert rules of the system',
        items: 'SystemAlertRule',
        columns: ['state'],
        filters,
      },
      create: {
        summary: 'Create an alert rule about all time series',
        body: AlertRuleCreate,
        actsLater: 'place',
      },
      try: {
        route: 'POST /x/v1/system/alert-rules/try',
        summary: 'Try out an alert rule of the system on current and past data',
        permission: { fleet: 'read' },
        body: AlertRuleTrial,
        audited: false,
        transaction: 'none',
        success: { status: 200, schema: AlertRuleTrialResult },
      },
      view: { summary: 'Show an alert rule of the system' },
      update: {
        summary: 'Change an alert rule of the system, or turn it on or off',
        body: AlertRuleUpdate,
        actsLater: 'place',
      },
      delete: { summary: 'Delete an alert rule of the system' },
      series_list: {
        route: 'GET series',
        summary: 'List the series of an alert rule of the system with their states',
        answer: AlertRuleSeriesList,
      },
      firing_list: {
        route: 'GET firings',
        summary: 'List the firings of an alert rule of the system',
        pages: AlertRuleFiring,
        sort: 'time_and_id',
      },
    },
  ),
  firing_alert_list: {
    method: 'GET',
    path: '/x/v1/firing-alerts',
    tags,
    summary: 'List the firing alert rules that the caller may read',
    permission: 'session',
    evenIfLimited: true,
    query: { project: uuid.optional(), instance: uuid.optional(), disk: uuid.optional() },
    success: { status: 200, schema: FiringAlerts },
  },
} as const satisfies Record<string, Operation>
