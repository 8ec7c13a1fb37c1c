import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { alertSeverities } from './rules.ts'
import { alertRuleStates } from './states.ts'
import { NameOrId, uuid } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  AlertRule,
  AlertRuleCreate,
  AlertRuleFiringResultsPage,
  AlertRuleSeriesList,
  AlertRuleTrial,
  AlertRuleTrialResult,
  AlertRuleUpdate,
  FiringAlerts,
} from './schemas.ts'

const tags = ['extensions']
const params = { alert_rule: NameOrId }
const query = { project: NameOrId.optional() }
const columns = ['name', 'natural_name', 'description', 'state', 'time_created']
const filters = { state: alertRuleStates, severity: alertSeverities }
const path = '/x/v1/alert-rules'
const systemPath = '/x/v1/system/alert-rules'

export const alertRuleOperations = {
  alert_rule_search: searched({
    kind: 'AlertRule',
    item: AlertRule,
    plain: {
      path: '/v1/alert-rules',
      summary: 'List the alert rules of a project',
      permission: { project: 'list' },
      scan: { sort: 'column', modes: [], required: ['project'] },
    },
    columns,
    filters,
    selectors: query,
  }),
  alert_rule_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create an alert rule about the time series of a project',
    permission: { project: 'create' },
    query: { project: NameOrId },
    body: AlertRuleCreate,
    success: { status: 201, schema: AlertRule },
  },
  alert_rule_try: {
    method: 'POST',
    path: `${path}/try`,
    tags,
    summary: 'Try out an alert rule of a project on current and past data',
    permission: { project: 'read' },
    query: { project: NameOrId },
    body: AlertRuleTrial,
    audited: false,
    transaction: 'none',
    success: { status: 200, schema: AlertRuleTrialResult },
  },
  alert_rule_view: {
    method: 'GET',
    path: `${path}/{alert_rule}`,
    tags,
    summary: 'Show an alert rule',
    permission: { alert_rule: 'read' },
    params,
    query,
    success: { status: 200, schema: AlertRule },
  },
  alert_rule_update: {
    method: 'PUT',
    path: `${path}/{alert_rule}`,
    tags,
    summary: 'Change an alert rule, or turn it on or off',
    permission: { alert_rule: 'modify' },
    params,
    query,
    body: AlertRuleUpdate,
    success: { status: 200, schema: AlertRule },
  },
  alert_rule_delete: {
    method: 'DELETE',
    path: `${path}/{alert_rule}`,
    tags,
    summary: 'Delete an alert rule',
    permission: { alert_rule: 'modify' },
    params,
    query,
    success: { status: 204 },
  },
  alert_rule_series_list: {
    method: 'GET',
    path: `${path}/{alert_rule}/series`,
    tags,
    summary: 'List the series of an alert rule with their states',
    permission: { alert_rule: 'read' },
    params,
    query,
    success: { status: 200, schema: AlertRuleSeriesList },
  },
  alert_rule_firing_list: {
    method: 'GET',
    path: `${path}/{alert_rule}/firings`,
    tags,
    summary: 'List the firings of an alert rule',
    permission: { alert_rule: 'read' },
    params,
    ...paged('time_and_id', query),
    success: { status: 200, schema: AlertRuleFiringResultsPage },
  },

  system_alert_rule_search: searched({
    kind: 'SystemAlertRule',
    item: AlertRule,
    plain: {
      path: '/v1/system/alert-rules',
      summary: 'List the alert rules of the system',
      permission: { system_alert_rule: 'list' },
    },
    columns,
    filters,
  }),
  system_alert_rule_create: {
    method: 'POST',
    path: systemPath,
    tags,
    summary: 'Create an alert rule about all time series',
    permission: { system_alert_rule: 'create' },
    body: AlertRuleCreate,
    success: { status: 201, schema: AlertRule },
  },
  system_alert_rule_try: {
    method: 'POST',
    path: `${systemPath}/try`,
    tags,
    summary: 'Try out an alert rule of the system on current and past data',
    permission: { fleet: 'read' },
    body: AlertRuleTrial,
    audited: false,
    transaction: 'none',
    success: { status: 200, schema: AlertRuleTrialResult },
  },
  system_alert_rule_view: {
    method: 'GET',
    path: `${systemPath}/{alert_rule}`,
    tags,
    summary: 'Show an alert rule of the system',
    permission: { system_alert_rule: 'read' },
    params,
    success: { status: 200, schema: AlertRule },
  },
  system_alert_rule_update: {
    method: 'PUT',
    path: `${systemPath}/{alert_rule}`,
    tags,
    summary: 'Change an alert rule of the system, or turn it on or off',
    permission: { system_alert_rule: 'modify' },
    params,
    body: AlertRuleUpdate,
    success: { status: 200, schema: AlertRule },
  },
  system_alert_rule_delete: {
    method: 'DELETE',
    path: `${systemPath}/{alert_rule}`,
    tags,
    summary: 'Delete an alert rule of the system',
    permission: { system_alert_rule: 'modify' },
    params,
    success: { status: 204 },
  },
  system_alert_rule_series_list: {
    method: 'GET',
    path: `${systemPath}/{alert_rule}/series`,
    tags,
    summary: 'List the series of an alert rule of the system with their states',
    permission: { system_alert_rule: 'read' },
    params,
    success: { status: 200, schema: AlertRuleSeriesList },
  },
  system_alert_rule_firing_list: {
    method: 'GET',
    path: `${systemPath}/{alert_rule}/firings`,
    tags,
    summary: 'List the firings of an alert rule of the system',
    permission: { system_alert_rule: 'read' },
    params,
    ...paged('time_and_id'),
    success: { status: 200, schema: AlertRuleFiringResultsPage },
  },

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
