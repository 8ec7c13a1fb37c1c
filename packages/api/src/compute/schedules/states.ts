/** States of schedules. Separate from the rules, because the start of the console needs no others. */

/**
 * - `active`: has a next run
 * - `paused`: runs only on request
 * - `ended`: no further time, after its one-time action
 */
export const scheduleStates = ['active', 'paused', 'ended'] as const
export type ScheduleStateName = (typeof scheduleStates)[number]
