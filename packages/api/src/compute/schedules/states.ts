/** Actions and states of schedules. Separate from the rules, because the start of the console needs no others. */

/**
 * - `active`: has a next run
 * - `paused`: runs only on request
 * - `ended`: no further time, after its one-time action
 */
export const scheduleStates = ['active', 'paused', 'ended'] as const
export type ScheduleStateName = (typeof scheduleStates)[number]

export const scheduleActions = ['snapshot', 'start', 'stop'] as const
export type ScheduleActionName = (typeof scheduleActions)[number]

/** States of a run. It has failed if one of its items has, or if it could not begin. */
export const scheduleRunStates = ['running', 'succeeded', 'failed'] as const
export type ScheduleRunStateName = (typeof scheduleRunStates)[number]
