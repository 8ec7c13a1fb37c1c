import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { Work } from '../../../kernel/work.ts'
import { settingColumns, settingsOf } from './settings.ts'

export type InstanceRow = Row<'instance'>

/** The columns that the answer needs; without the user data, which can be large. */
export const wireColumns = [
  'id',
  'name',
  'description',
  'time_created',
  'time_modified',
  'project_id',
  'run_state',
  'time_run_state_updated',
  'boot_disk_id',
  'time_last_auto_restarted',
  ...settingColumns,
] as const satisfies (keyof InstanceRow)[]

export type WireRow = Pick<InstanceRow, (typeof wireColumns)[number]>

/** Whether a failed instance is restarted automatically: yes, unless its policy says otherwise. */
export const autoRestartEnabled = (row: WireRow): boolean =>
  (row.auto_restart_policy ?? 'best_effort') === 'best_effort'

/** When a failed instance may be restarted again; undefined if it was never restarted. */
export const cooldownExpiration = (row: WireRow, cooldownMs: number): Date | undefined =>
  row.time_last_auto_restarted === null
    ? undefined
    : new Date(Date.parse(row.time_last_auto_restarted) + cooldownMs)

export function toWireInstance(row: WireRow, cooldownMs: number): Wire.Instance {
  return {
    ...identityOf(row),
    project_id: row.project_id,
    ...settingsOf(row),
    run_state: row.run_state,
    time_run_state_updated: row.time_run_state_updated,
    boot_disk_id: row.boot_disk_id,
    auto_restart_enabled: autoRestartEnabled(row),
    auto_restart_cooldown_expiration: cooldownExpiration(row, cooldownMs)?.toISOString() ?? null,
    time_last_auto_restarted: row.time_last_auto_restarted,
  }
}

/** The wire form of an instance, by the settings of the server that is asked. */
export const toWireFor = ({ services }: Pick<Work, 'services'>, row: WireRow): Wire.Instance =>
  toWireInstance(row, services.settings.autoRestartCooldownMs)
