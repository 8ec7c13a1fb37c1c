import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { type AlertRuleFiringTable, firingFields } from './table.ts'
import type { SeriesStatus } from './evaluate-series.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { pick } from '../../../kernel/pick.ts'

export type RuleRow = Row<'alert_rule'>

/** The state of one of a rule's series, as stored. */
export interface SeriesRecord extends SeriesStatus {
  key: string
  fields: Record<string, string | number | boolean>
}
/** The column `series` of the states of rules. */
export const ruleSeries = jsonColumn<SeriesRecord[]>()

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))

export const thresholdOf = ({ threshold }: Pick<RuleRow, 'threshold'>): number | null =>
  numberOrNull(threshold)

export const toWireRule = (row: RuleRow): Wire.AlertRule => ({
  ...identityOf(row),
  project_id: row.project_id,
  query: row.query,
  comparison: row.comparison,
  threshold: thresholdOf(row),
  ...pick(row, 'duration', 'tag_filter', 'units', 'severity'),
  enabled: row.enabled === 1,
  state: row.state,
  time_state_updated: row.time_state_updated,
  time_evaluated: row.time_evaluated,
  problem: row.problem,
  series: row.series,
  firing: row.firing,
  pending: row.pending,
})

export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const toWireSeries = (series: SeriesRecord): Wire.AlertRuleSeries => ({
  fields: series.fields,
  state: series.state,
  time_since: iso(series.since),
  time_fired: series.fired === null ? null : iso(series.fired),
  value: series.value,
  time_value: series.value === null ? null : iso(series.seen),
})

export const toWireFiring = (row: AlertRuleFiringTable): Wire.AlertRuleFiring => ({
  id: row.id,
  fields: firingFields.read(row.fields),
  ...pick(row, 'time_since', 'time_fired', 'time_resolved', 'resolution'),
  value: numberOrNull(row.value),
})
