/** The phases of a machine, from what was asked of it and the state of its domain. */
import type { PauseReason } from '@steading/api/rules'
import type { MachinePhase } from '@steading/control-plane/ports'
import type { DomainStatus } from './native/libvirt.ts'
import type { MachineRow } from './rows.ts'

/** Reasons of failures for the owners of instances; sentences without a full stop. */
export const failures = {
  halted: 'The machine was ended by the control plane',
  ended: 'The machine ended unexpectedly',
  lost: 'Its host was restarted, or the machine was removed there',
  outside: 'The machine was ended on its host, not through the control plane',
  moveCancelled: 'The move was cancelled',
  notMoved: 'The machine stopped running before it was moved',
  ranElsewhere: 'The host that it was moved to ended before the move did',
} as const

/** Whether the machine neither runs nor will do so again. */
export const isAtRest = ({ phase }: { phase: MachinePhase }): boolean =>
  phase === 'stopped' || phase === 'failed'

/** Whether the machine can be stopped and rebooted. */
export const isUp = ({ phase }: { phase: MachinePhase }): boolean =>
  phase === 'booting' || phase === 'running' || phase === 'rebooting'

export const isActive = (status: DomainStatus | undefined): boolean =>
  status !== undefined && status.state !== 'shutoff' && status.state !== 'crashed'

/**
 * Whether a phase has lasted for some time, in milliseconds. A clock that was set back by more than
 * that ends the phase as well, so that no machine stays in it until the clock has caught up.
 */
export const hasLasted = ({ since }: Pick<MachineRow, 'since'>, ms: number, now: number): boolean =>
  Math.abs(now - since) >= ms

export const enter = (
  phase: MachineRow['phase'],
  now: number,
  failure: string | null = null,
): Pick<MachineRow, 'phase' | 'since' | 'failure'> => ({ phase, since: now, failure })

type State = Pick<MachineRow, 'phase' | 'since' | 'failure' | 'pause'>

/** The end of a started machine whose domain is not active. */
function endOf(
  { wanted }: MachineRow,
  status: DomainStatus | undefined,
): { phase: 'stopped' | 'failed'; failure: string | null } {
  const failed = (failure: string) => ({ phase: 'failed', failure }) as const
  const stopped = { phase: 'stopped', failure: null } as const
  switch (status?.reason) {
    case 'shutdown':
      return stopped
    case 'crashed':
    case 'failed':
    case 'daemon':
      return failed(failures.ended)
    case 'destroyed':
      return wanted === 'stop' ? stopped : failed(failures.outside)
    default:
      return wanted === 'stop' ? stopped : failed(failures.lost)
  }
}

function nextPhase(
  row: MachineRow,
  status: DomainStatus | undefined,
  now: number,
): Omit<State, 'pause'> | undefined {
  if (!isActive(status)) {
    const { phase, failure } = endOf(row, status)
    return enter(phase, now, failure)
  }
  // The guest powers itself off.
  if (status!.state === 'shutdown') {
    return row.phase === 'running' || row.phase === 'booting' ? enter('stopping', now) : undefined
  }
  return row.phase === 'booting' ? enter('running', now) : undefined
}

/**
 * New values of a machine's row, from the state of its domain; undefined without a change.
 * @param status undefined if there is no domain
 * @param pause why the domain is paused; null unless it is
 */
export function advance(
  row: MachineRow,
  status: DomainStatus | undefined,
  now: number,
  pause: PauseReason | null = null,
): State | undefined {
  if (isAtRest(row) || row.started_at === null) return undefined
  const next = nextPhase(row, status, now)
  if (!next && pause === row.pause) return undefined
  const { phase, since, failure } = next ?? row
  return { phase, since, failure, pause }
}
