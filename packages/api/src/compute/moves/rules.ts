/** Moves of running instances from sled to sled. */
import type { InstanceState } from '../instances/rules.ts'

/** Who or what began a move: an operator, the maintenance of a sled, or a system update. */
export const moveCauses = ['requested', 'maintenance', 'update'] as const
export type MoveCause = (typeof moveCauses)[number]

export const moveStates = ['moving', 'moved', 'failed'] as const
export type MoveState = (typeof moveStates)[number]

/** Most instances that leave a sled at the same time, for its maintenance or its update. */
export const MOVES_AT_ONCE = 8
/** Ended moves that are kept of each instance. */
export const MOVES_KEPT = 20
/** Failed moves of an instance, after which the maintenance of its sled tries no more. */
export const MOVE_ATTEMPTS = 3

/** Why a move failed, by the state that the instance has after it. */
const failures: Partial<Record<InstanceState, string>> = {
  rebooting: 'The guest rebooted meanwhile',
  stopping: 'The guest powered off meanwhile',
  stopped: 'The instance was stopped meanwhile',
  failed: 'The instance failed meanwhile',
}

/** Why a move has failed, given the state of the instance after it. */
export const moveFailure = (state: InstanceState): string =>
  failures[state] ?? 'The sled could no longer take the instance'

export const moveMessages = {
  notHere: 'the instance is not on this sled',
  changed: 'instance changed state before it could be moved',
} as const
