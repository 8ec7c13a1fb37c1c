import type { tables, Wire } from '@steading/api'
import { ALERT_RULES_MAX, alertRuleMessages, FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { type Page, pageByTime } from '../../../kernel/paging.ts'
import { changeNamed, insertNamed } from '../../../kernel/named-rows.ts'
import type { Work } from '../../../kernel/work.ts'
import { each } from '../../../kernel/search/search.ts'
import type { Flag } from '../../../kernel/db/schema.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { onlyTagged } from '../timeseries/tagged.ts'
import { deleteRule, kindOfRule } from './delete.ts'
import { forgetSeries } from './firings.ts'
import { firingAlerts } from './firing-now.ts'
import { type RuleContext, contextOf } from './context.ts'
import { parseRuleQuery } from './rule-query.ts'
import { requireCondition, tryRule } from './trial.ts'
import {
  type RuleRow,
  ruleSeries,
  thresholdOf,
  toWireFiring,
  toWireRule,
  toWireSeries,
} from './wire.ts'

type Owner = Pick<RuleRow, 'project_id' | 'fleet_id'>

const flag = (is: boolean): Flag => (is ? 1 : 0)

async function createRule(
  work: Work,
  owner: Owner,
  context: RuleContext,
  body: Wire.AlertRuleCreate,
): Promise<Wire.AlertRule> {
  const { db, now } = work
  const kind = kindOfRule(owner)
  const parent = owner.project_id ?? owner.fleet_id!
  const { comparison, duration, severity } = body
  const threshold = body.threshold ?? null
  requireCondition({ comparison, threshold, duration })
  const { units } = await parseRuleQuery(body.query, context.scope, now)
  await requireFreeName(db, kind, parent, body.name)
  const others = await db
    .selectFrom('alert_rule')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(owner.project_id === null ? 'fleet_id' : 'project_id', '=', parent)
    .executeTakeFirstOrThrow()
  if (Number(others.count) >= ALERT_RULES_MAX) {
    throw fail.invalidRequest(alertRuleMessages.tooManyRules)
  }
  const enabled = body.enabled ?? true
  const columns = {
    ...owner,
    query: body.query,
    comparison,
    threshold: threshold === null ? null : String(threshold),
    duration,
    tag_filter: body.tag_filter ?? null,
    units,
    severity,
    enabled: flag(enabled),
    ...initialState(enabled, now.toISOString()),
    revision: 0,
  }
  return toWireRule(await insertNamed(work, kind, body, columns, { silo_id: context.silo?.id }))
}

/** The values of a rule that has not yet been evaluated. */
const initialState = (enabled: boolean, time: string) =>
  ({
    state: enabled ? 'waiting' : 'disabled',
    time_state_updated: time,
    time_evaluated: null,
    problem: null,
    series: 0,
    firing: 0,
    pending: 0,
    time_watched: time,
    time_due: enabled ? time : null,
  }) as const

async function updateRule(work: Work, rule: RuleRow, body: Wire.AlertRuleUpdate): Promise<RuleRow> {
  const { db, now } = work
  const context = await contextOf(db, rule)
  if (!context) throw fail.notFoundById('alert-rule', rule.id)
  const query = body.query ?? rule.query
  const comparison = body.comparison ?? rule.comparison
  const duration = body.duration ?? rule.duration
  const enabled = body.enabled ?? rule.enabled === 1
  // A comparison without threshold drops the old one.
  const kept = comparison === 'no_data' ? null : thresholdOf(rule)
  const threshold = body.threshold === undefined ? kept : body.threshold
  requireCondition({ comparison, threshold, duration })
  const { units } = await parseRuleQuery(query, context.scope, now)
  if (body.name && body.name !== rule.name) {
    await requireFreeName(db, kindOfRule(rule), (rule.project_id ?? rule.fleet_id)!, body.name)
  }
  const conditions = {
    query,
    comparison,
    duration,
    tag_filter: body.tag_filter === undefined ? rule.tag_filter : body.tag_filter,
    threshold: threshold === null ? null : String(threshold),
    enabled: flag(enabled),
  }
  const columns = Object.keys(conditions) as (keyof typeof conditions)[]
  const anew = columns.some((column) => conditions[column] !== rule[column])
  if (anew) {
    await forgetSeries(work, rule, context, enabled ? 'changed' : 'disabled')
  }
  const changes = {
    severity: body.severity ?? rule.severity,
    units,
    ...conditions,
    ...(anew && initialState(enabled, now.toISOString())),
    revision: Number(rule.revision) + 1,
  }
  return changeNamed(work, kindOfRule(rule), rule, body, changes, { silo_id: context.silo?.id })
}

async function listSeries(
  { db }: Pick<Work, 'db'>,
  rule: RuleRow,
): Promise<Wire.AlertRuleSeriesList> {
  const row = await db
    .selectFrom('alert_rule_state')
    .select('series')
    .where('rule_id', '=', rule.id)
    .executeTakeFirst()
  const series = row ? ruleSeries.read(row.series) : []
  return { items: series.map(toWireSeries) }
}

const listFirings = ({ db, page }: { db: Work['db']; page: Page }, rule: RuleRow) =>
  pageByTime(
    page,
    db.selectFrom('alert_rule_firing').selectAll().where('rule_id', '=', rule.id),
    { time: 'time_fired', id: 'id' },
    ({ time_fired }) => time_fired,
    toWireFiring,
  )

const system = { project_id: null, fleet_id: FLEET_ID } as const

const rules = usualHandlers('alert_rule', each(toWireRule))
const systemRules = usualHandlers('system_alert_rule', each(toWireRule), 'alert_rule')

export const alertRuleHandlers: Handlers<typeof tables.alertRuleOperations> = {
  alert_rule_search: rules.search,
  alert_rule_view: rules.view,
  alert_rule_update: rules.change(updateRule),
  alert_rule_delete: rules.delete(deleteRule),
  system_alert_rule_search: systemRules.search,
  system_alert_rule_view: systemRules.view,
  system_alert_rule_update: systemRules.change(updateRule),
  system_alert_rule_delete: systemRules.delete(deleteRule),

  async alert_rule_create(ctx) {
    const { id } = await rules.container(ctx)
    const owner = { project_id: id, fleet_id: null }
    return createRule(ctx, owner, (await contextOf(ctx.db, owner))!, ctx.body)
  },

  async alert_rule_try(ctx) {
    const { db, body, services, now, http } = ctx
    const { id } = await rules.container(ctx)
    const { scope } = (await contextOf(db, { project_id: id }))!
    const only = onlyTagged(db, { tag_filter: body.tag_filter ?? null, project_id: id })
    return tryRule(services.timeseriesQueries, body, { scope, only }, now, http.request.signal)
  },

  alert_rule_series_list: async (ctx) => listSeries(ctx, await rules.find(ctx)),
  alert_rule_firing_list: async (ctx) => listFirings(ctx, await rules.find(ctx)),

  async system_alert_rule_create(ctx) {
    authorize(ctx, 'system_alert_rule', {})
    return createRule(ctx, system, (await contextOf(ctx.db, system))!, ctx.body)
  },

  async system_alert_rule_try(ctx) {
    authorize(ctx, 'fleet', {})
    const { db, body, services, now, http } = ctx
    const only = onlyTagged(db, { tag_filter: body.tag_filter ?? null, project_id: null })
    return tryRule(services.timeseriesQueries, body, { scope: [], only }, now, http.request.signal)
  },

  system_alert_rule_series_list: async (ctx) => listSeries(ctx, await systemRules.find(ctx)),
  system_alert_rule_firing_list: async (ctx) => listFirings(ctx, await systemRules.find(ctx)),
  firing_alert_list: async (ctx) => firingAlerts(ctx, ctx.query),
}
