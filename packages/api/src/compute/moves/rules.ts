/** Moves of running instances from sled to sled. */
import type { InstanceState } from '../instances/rules.ts'

/** Cause of a move: an operator, the maintenance of a sled, or a system update. */
export const moveCauses = ['requested', 'maintenance', 'update'] as const
export type MoveCause = (typeof moveCauses)[number]

export const moveStates = ['moving', 'moved', 'failed', 'cancelled'] as const
export type MoveState = (typeof moveStates)[number]

/** Maximum number of instances that leave a sled at once, for its maintenance or update. */
export const MOVES_AT_ONCE = 8
/** Retained number of ended moves of an instance. */
export const MOVES_KEPT = 20
/** Number of failed moves after which the maintenance leaves an instance alone. */
export const MOVE_ATTEMPTS = 3

/** Reasons of failed moves, by the state of the instance afterwards. */
const failures: Partial<Record<InstanceState, string>> = {
  rebooting: 'The guest rebooted meanwhile',
  stopping: 'The guest powered off meanwhile',
  stopped: 'The instance was stopped meanwhile',
  failed: 'The instance failed meanwhile',
}

/** Reason of a failed move, by the state of the instance afterwards. */
export const moveFailure = (state: InstanceState): string =>
  failures[state] ?? 'The sled could no longer take the instance'

export const moveMessages = {
  notHere: 'the instance is not on this sled',
  changed: 'instance changed state before it could be moved',
  notMoving: 'the instance is not being moved',
  ended: 'the move ended before it could be cancelled',
} as const
