/** Maintenance of a sled: it takes no new instances, and its instances move away. */

/** Treatment of instances that cannot move: they stay on the sled, or are stopped. */
export const unmovableChoices = ['leave', 'stop'] as const
export type UnmovableChoice = (typeof unmovableChoices)[number]

export const maintenanceStates = ['moving', 'paused', 'blocked', 'ready'] as const
export type MaintenanceState = (typeof maintenanceStates)[number]

/** States of an instance on a sled in maintenance. */
export const maintenanceInstanceStates = ['moving', 'stopping', 'waiting', 'impossible'] as const
export type MaintenanceInstanceState = (typeof maintenanceInstanceStates)[number]

/** Maximum length of a reason in characters. */
export const MAINTENANCE_REASON_MAX = 256
/** Maximum number of instances that a sled in maintenance or its preview lists. */
export const MAINTENANCE_INSTANCES_SHOWN = 100

export const maintenanceMessages = {
  already: 'the sled is in maintenance',
  none: 'maintenance of this sled',
  noReason: 'a reason is required',
  longReason: `the reason may have at most ${MAINTENANCE_REASON_MAX} characters`,
  endPast: 'the end must be in the future',
} as const

/** Problem with a reason; undefined if it is valid. */
export function maintenanceReasonProblem(reason: string): string | undefined {
  if (reason.trim() === '') return maintenanceMessages.noReason
  if (reason.length > MAINTENANCE_REASON_MAX) return maintenanceMessages.longReason
  return undefined
}

/** Reasons why an instance stays on a sled in maintenance. */
export const maintenanceProblems = {
  noEngine: 'The engine cannot move running instances',
  cancelled: (userName: string) => `Its move was cancelled by ${userName}`,
  failed: (times: number, reason: string) => `${times} moves have failed, the last one: ${reason}`,
} as const
