/** The firings of rules: recorded, and announced by alerts, in the transaction that found them. */
import type { Wire } from '@steading/api'
import { ALERT_SERIES_MAX, conditionWords, type Resolution } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Writing } from '../../../kernel/work.ts'
import { pick } from '../../../kernel/pick.ts'
import { raiseAlert } from '../alerts/raise.ts'
import type { Change } from './evaluate-series.ts'
import type { RuleContext } from './context.ts'
import { type AlertRuleFiringTable, firingFields } from './table.ts'
import { iso, type RuleRow, thresholdOf } from './wire.ts'

type Fields = Record<string, string | number | boolean>

/** A change of a series of a rule. */
export interface SeriesChange {
  key: string
  fields: Fields
  change: Change
}

/** A series as shown in an alert. */
type AlertedSeries = {
  fields: Fields
  value: number | null
  time_since: string
  time_fired: string
  time_resolved: string | null
  resolution: Wire.AlertResolution | null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const alertedSeries = (row: AlertRuleFiringTable): AlertedSeries => ({
  fields: firingFields.read(row.fields) as Fields,
  value: row.value === null ? null : Number(row.value),
  ...pick(row, 'time_since', 'time_fired', 'time_resolved', 'resolution'),
})

/** Raises one alert about all series of a rule with the same change. */
async function raiseSeriesAlert(
  writing: Writing,
  kind: 'firing' | 'resolved',
  rule: RuleRow,
  { project, silo }: RuleContext,
  series: readonly AlertedSeries[],
): Promise<void> {
  if (series.length === 0) return
  const threshold = thresholdOf(rule)
  await raiseAlert(writing, `alert_rule.${kind}`, {
    time: writing.now.toISOString(),
    rule: {
      ...pick(rule, 'id', 'name', 'description', 'severity', 'query'),
      condition: conditionWords({ ...rule, threshold }, rule.tag_filter),
      comparison: rule.comparison,
      threshold,
      duration: rule.duration,
      tag_filter: rule.tag_filter,
      units: rule.units,
    },
    project,
    silo,
    series: series.slice(0, ALERT_SERIES_MAX),
    series_total: series.length,
  })
}

async function begin(
  { db }: Pick<Writing, 'db'>,
  rule: RuleRow,
  { key, fields }: SeriesChange,
  { at, since, value }: Change & { kind: 'fired' },
): Promise<AlertedSeries[]> {
  const row: AlertRuleFiringTable = {
    id: crypto.randomUUID(),
    rule_id: rule.id,
    series_key: key,
    fields: firingFields.write(fields),
    instance_id: textOf(fields.instance_id),
    disk_id: textOf(fields.disk_id),
    time_since: iso(since),
    time_fired: iso(at),
    time_resolved: null,
    resolution: null,
    value: value === null ? null : String(value),
  }
  await db.insertInto('alert_rule_firing').values(row).execute()
  return [alertedSeries(row)]
}

const open = (db: Db, rule: RuleRow) =>
  db
    .updateTable('alert_rule_firing')
    .where('rule_id', '=', rule.id)
    .where('time_resolved', 'is', null)

async function end(
  { db }: Pick<Writing, 'db'>,
  rule: RuleRow,
  { key }: SeriesChange,
  { at, resolution }: Change & { kind: 'resolved' },
): Promise<AlertedSeries[]> {
  const rows = await open(db, rule)
    .set({ time_resolved: iso(at), resolution })
    .where('series_key', '=', key)
    .returningAll()
    .execute()
  return rows.map(alertedSeries)
}

/** Records changes of a rule's series, in the order of time, and raises the alerts. */
export async function noteChanges(
  writing: Writing,
  rule: RuleRow,
  context: RuleContext,
  changes: readonly SeriesChange[],
): Promise<void> {
  const fired: AlertedSeries[] = []
  const resolved: AlertedSeries[] = []
  for (const one of changes) {
    const { change } = one
    if (change.kind === 'fired') fired.push(...(await begin(writing, rule, one, change)))
    else resolved.push(...(await end(writing, rule, one, change)))
  }
  await raiseSeriesAlert(writing, 'firing', rule, context, fired)
  await raiseSeriesAlert(writing, 'resolved', rule, context, resolved)
}

/** Ends all firings of a rule, because the rule that fired has changed. */
export async function endFirings(
  writing: Writing,
  rule: RuleRow,
  context: RuleContext,
  resolution: Resolution,
): Promise<void> {
  const rows = await open(writing.db, rule)
    .set({ time_resolved: writing.now.toISOString(), resolution })
    .returningAll()
    .execute()
  await raiseSeriesAlert(writing, 'resolved', rule, context, rows.map(alertedSeries))
}

/** Ends all firings of a rule, and deletes the states of its series. */
export async function forgetSeries(
  writing: Writing,
  rule: RuleRow,
  context: RuleContext,
  resolution: Resolution,
): Promise<void> {
  await endFirings(writing, rule, context, resolution)
  await writing.db.deleteFrom('alert_rule_state').where('rule_id', '=', rule.id).execute()
}

/** Rows removed per transaction. */
const PIECE = 200

/**
 * Removes firings that ended before a time.
 * @param before RFC 3339
 * @param isActive called between transactions; false ends the work
 */
export async function purgeFirings(db: Db, before: string, isActive: () => boolean): Promise<void> {
  for (let more = true; more && isActive();) {
    const rows = await db
      .deleteFrom('alert_rule_firing')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alert_rule_firing')
          .select('id')
          .where('time_resolved', '<', before)
          .limit(PIECE),
      )
      .returning('id')
      .execute()
    more = rows.length === PIECE
  }
}
