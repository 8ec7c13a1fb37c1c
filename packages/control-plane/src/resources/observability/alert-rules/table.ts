import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Flag, Listed } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** Removed at once when the rule is deleted. */
export interface AlertRuleTable extends Listed {
  /** Null for a rule of the system. */
  project_id: string | null
  /** Set for a rule of the system; all these are in one list, the fleet's. */
  fleet_id: string | null
  query: string
  comparison: Wire.AlertComparison
  /** A number as JSON writes it; null for missing values. */
  threshold: string | null
  /** Seconds. */
  duration: number
  /** Tags separated by commas; null for all resources. */
  tag_filter: string | null
  units: string | null
  severity: Wire.AlertSeverity
  enabled: Flag
  state: Wire.AlertRuleState
  time_state_updated: string
  time_evaluated: string | null
  problem: string | null
  series: number
  firing: number
  pending: number
  /** The time from which values are expected: when the rule was created, changed or enabled. */
  time_watched: string
  /** When it is next evaluated; null while it is disabled. */
  time_due: string | null
  /** Rises with every write, so that an evaluation of an older row is dropped. */
  revision: number
}

/** The states of a rule's series after its last evaluation. */
export interface AlertRuleStateTable {
  rule_id: string
  /** JSON: `SeriesRecord[]`. */
  series: string
  /** Milliseconds since the epoch: the time up to which values were evaluated. */
  evaluated_to: number
}

/** A firing of a series, past or present. */
export interface AlertRuleFiringTable {
  id: string
  rule_id: string
  /** The series of the rule. */
  series_key: string
  /** JSON. */
  fields: string
  /** The fields that name an instance or a disk, on whose page the firing is shown. */
  instance_id: string | null
  disk_id: string | null
  time_since: string
  time_fired: string
  time_resolved: string | null
  resolution: Wire.AlertResolution | null
  /** A number as JSON writes it. */
  value: string | null
}

/** The fields of a series. */
export const firingFields = jsonColumn<Record<string, unknown>>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    alert_rule: AlertRuleTable
    alert_rule_state: AlertRuleStateTable
    alert_rule_firing: AlertRuleFiringTable
  }
}

export const alertRuleTables: StoredTables = {
  alert_rule: {
    actsLater: 'place',
    partOf: { project_id: 'project' },
    names: {
      alert_rule_name: kinds.alert_rule.type,
      system_alert_rule_name: kinds.system_alert_rule.type,
    },
  },
  alert_rule_state: {
    times: { evaluated_to: { numberOf: (now) => now.getTime() } },
    partOf: { rule_id: 'alert_rule' },
  },
  alert_rule_firing: { partOf: { rule_id: 'alert_rule' } },
}
