import type { MachineObservation, MachinePhase, MachineSpec } from '@steading/control-plane/ports'
import type { SimulatedOptions } from './options.ts'

/** Stored state of a simulated machine. The current state derives from it and the time. */
export interface MachineState {
  id: string
  spec: MachineSpec
  phase: Exclude<MachinePhase, 'absent'>
  /** Start of the phase in milliseconds. */
  since: number
  /** Number of reboots, including those by the guest itself. */
  boot: number
  /** Number of requested reboots that have begun. */
  reboots: number
  /** Increases with every write. */
  version: number
  /** A live move, or the newest one if it has failed. */
  move?: SimulatedMove
}

type MoveProgress = NonNullable<MachineObservation['move']>

export interface SimulatedMove {
  id: string
  /** The destination. */
  sled: MachineSpec['sled']
  /** Begin and arrival in milliseconds. */
  since: number
  at: number
  /** Why it has failed. */
  failure?: string
}

/** What a move has copied at a time: the memory of the machine, at the same rate all along. */
export function copied(
  { since, at }: SimulatedMove,
  { memory }: Pick<MachineSpec, 'memory'>,
  now: number,
): MoveProgress {
  const share = at > since ? Math.max(0, Math.min(1, (now - since) / (at - since))) : 1
  const processed = Math.round(share * memory)
  const rate = at > since ? Math.round((memory * 1_000) / (at - since)) : 0
  return { total: memory, processed, remaining: memory - processed, rate }
}

/** The move of a machine, unless it has failed. */
export const liveMove = ({ move }: MachineState): SimulatedMove | undefined =>
  move?.failure === undefined ? move : undefined

/** The state without a move. */
export const staying = (state: MachineState): MachineState => ({ ...state, move: undefined })

/** Duration of a phase in milliseconds; undefined for a phase that does not end by itself. */
function lengthOf(phase: MachineState['phase'], options: SimulatedOptions): number | undefined {
  if (phase === 'booting') return options.bootMs
  if (phase === 'rebooting') return options.rebootMs
  return phase === 'stopping' ? options.stopMs : undefined
}

/** Whether the phase ends by itself. */
export const isMoving = ({ phase }: MachineState): boolean =>
  phase === 'booting' || phase === 'rebooting' || phase === 'stopping'

/** Whether the machine neither runs nor will do so again. */
export const isAtRest = ({ phase }: { phase: string }): boolean =>
  phase === 'stopped' || phase === 'failed'

/** Whether the machine can be stopped and rebooted. */
export const isUp = ({ phase }: MachineState): boolean =>
  phase === 'booting' || phase === 'rebooting' || phase === 'running'

/** End of the phase; undefined if it does not end by itself. */
export function endsAt(state: MachineState, options: SimulatedOptions): number | undefined {
  const length = lengthOf(state.phase, options)
  return length === undefined ? undefined : Math.ceil(state.since + length)
}

/** Elapsed share of the phase, from 0 to 1. */
export function share(state: MachineState, now: number, options: SimulatedOptions): number {
  const length = lengthOf(state.phase, options)
  return length === undefined || length === 0
    ? 1
    : Math.max(0, Math.min(1, (now - state.since) / length))
}

export const enter = (
  state: MachineState,
  phase: MachineState['phase'],
  now: number,
): MachineState => ({ ...staying(state), phase, since: now })

/** Reboots a machine that is up. */
export const bootAgain = (state: MachineState, now: number): MachineState => ({
  ...enter(state, 'rebooting', now),
  boot: state.boot + 1,
})

/** State of the machine at a time; the same object if nothing has changed. */
export function advance(state: MachineState, now: number, options: SimulatedOptions): MachineState {
  const end = endsAt(state, options)
  if (end === undefined) return state
  // The clock was set back. The phase restarts, so that it does not last until the old time.
  if (state.since > now) return enter(state, state.phase, now)
  if (now < end) return state
  return enter(state, state.phase === 'stopping' ? 'stopped' : 'running', end)
}
