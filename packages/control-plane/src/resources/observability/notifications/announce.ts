/** When the changes of a notification are announced, so that one that keeps changing is no flood. */
import {
  FLAPPING_HOLD_MS,
  type NotificationStateName,
  PROMPT_CHANGES,
  SAME_NOTIFICATION_MS,
} from '@steading/api/rules'
import type { NotificationRow } from './wire.ts'

/** The columns that a change writes; `sequence` is added to an announcement when it is written. */
export type Change = Partial<Omit<NotificationRow, 'id' | 'issue' | 'sequence'>> & {
  /** Whether users are told now. */
  isAnnounced: boolean
}

type Before = Pick<
  NotificationRow,
  'state' | 'announced' | 'changes' | 'times' | 'time' | 'time_held' | 'time_created'
>

const announcing = (state: NotificationStateName, now: Date): Change => ({
  isAnnounced: true,
  announced: state,
  time: now.toISOString(),
  time_held: null,
})

/** A time that is later than any hold can last was set by another clock. */
const isOver = (time: string, now: Date): boolean =>
  time <= now.toISOString() || Date.parse(time) > now.getTime() + FLAPPING_HOLD_MS

const holdOf = (before: Before): string =>
  new Date(Date.parse(before.time) + FLAPPING_HOLD_MS).toISOString()

/** A change of state, or a repetition of the open one. */
export function change(before: Before, state: NotificationStateName, now: Date): Change {
  const changes = Number(before.changes) + 1
  const begins = state === 'open'
  const values = {
    state,
    changes,
    times: Number(before.times) + (begins ? 1 : 0),
    time_resolved: begins ? null : now.toISOString(),
  }
  const until = holdOf(before)
  return changes <= PROMPT_CHANGES || isOver(until, now)
    ? { ...values, ...announcing(state, now) }
    : { ...values, isAnnounced: false, time_held: until }
}

/**
 * The announcement of changes that were held, once their time has come. Trouble that came and went
 * meanwhile is not announced.
 */
export function release(before: Before, now: Date): Change | undefined {
  if (before.time_held === null || !isOver(before.time_held, now)) return undefined
  return before.state === 'open' || before.announced === 'open'
    ? announcing(before.state, now)
    : { isAnnounced: false, time_held: null }
}

/** Whether a resolved notification continues if its issue begins again. */
export function continues({ time_created }: Pick<Before, 'time_created'>, now: Date): boolean {
  const age = now.getTime() - Date.parse(time_created)
  return Math.abs(age) < SAME_NOTIFICATION_MS
}
