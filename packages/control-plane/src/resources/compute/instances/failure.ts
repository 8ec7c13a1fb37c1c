import type { Wire } from '@steading/api'
import type { Machines } from '../../../kernel/ports/machines.ts'
import { autoRestartEnabled, cooldownExpiration, type InstanceRow, type WireRow } from './wire.ts'

type FailureRow = WireRow & { failure: string | null; restart_problem: string | null }

/** The columns that the answer about a failure needs besides those of the instance. */
export const failureColumns = ['failure', 'restart_problem', 'reconcile_at'] as const

/** When a failed instance is restarted automatically, at the earliest. */
function restartTime(
  row: FailureRow & { reconcile_at: string | null },
  cooldownMs: number,
): string | null {
  if (!autoRestartEnabled(row)) return null
  // After a failed attempt, the alarm of the row is the time of the next one.
  if (row.restart_problem !== null && row.reconcile_at !== null) return row.reconcile_at
  return cooldownExpiration(row, cooldownMs)?.toISOString() ?? row.time_run_state_updated
}

/** The pause of an instance; null unless its guest is paused. */
export const toWirePause = ({
  pause,
  time_paused,
}: Pick<InstanceRow, 'pause' | 'time_paused'>): Wire.InstancePause | null =>
  pause === null ? null : { reason: pause, time_paused: time_paused! }

/** The failure of an instance, and when it is restarted; null unless it has failed. */
export function toWireFailure(
  row: FailureRow & { reconcile_at: string | null },
  cooldownMs: number,
): Wire.InstanceFailure | null {
  if (row.run_state !== 'failed') return null
  return {
    reason: row.failure,
    time_restart: restartTime(row, cooldownMs),
    restart_problem: row.restart_problem,
  }
}

/** How long a stop or a reboot waits for the guest, in seconds; null in other states. */
export function guestWait(
  { run_state: state }: Pick<InstanceRow, 'run_state'>,
  patience: Machines['patience'],
): number | null {
  if (!patience || (state !== 'stopping' && state !== 'rebooting')) return null
  return Math.ceil((state === 'stopping' ? patience.stopMs : patience.rebootMs) / 1_000)
}
