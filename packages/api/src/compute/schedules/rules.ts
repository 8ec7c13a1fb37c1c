/**
 * Schedules: actions on instances and disks at recurring times, or once. `recurrence.ts` computes
 * the times, `retention.ts` the snapshots to keep.
 */
import type { JobAction } from '../../workspace/jobs/rules.ts'
import type { ScheduleActionName } from './states.ts'

/** Actions, with the kinds of their targets and the minimum minutes between two runs. */
const actions = {
  snapshot: {
    targets: ['instance', 'disk', 'tag'],
    minutes: 15,
  },
  start: { targets: ['instance', 'tag'], minutes: 5 },
  stop: { targets: ['instance', 'tag'], minutes: 5 },
} as const satisfies Record<
  ScheduleActionName & JobAction,
  { targets: readonly ('instance' | 'disk' | 'tag')[]; minutes: number }
>

/** Kinds of resources that are targets. */
export const scheduleResourceKinds = ['instance', 'disk'] as const
export type ScheduleResourceKind = (typeof scheduleResourceKinds)[number]

/** Kinds of targets: resources, and a tag, which stands for those that have it when a run begins. */
export const scheduleTargetKinds = [...scheduleResourceKinds, 'tag'] as const
export type ScheduleTargetKind = (typeof scheduleTargetKinds)[number]

/** Minimum minutes between two runs. */
export const scheduleMinutesMin = (action: ScheduleActionName): number => actions[action].minutes
export const scheduleTargets = (action: ScheduleActionName): readonly ScheduleTargetKind[] =>
  actions[action].targets

/** States of one item of a run; a subset of the states of job items. */
export const scheduleItemStates = ['waiting', 'running', 'succeeded', 'failed'] as const
export type ScheduleItemStateName = (typeof scheduleItemStates)[number]

/** Causes of a run: its time had come, or a user asked for it. */
export const scheduleCauses = ['due', 'requested'] as const
export type ScheduleCauseName = (typeof scheduleCauses)[number]

/** Periods of the retention, and the maximum number of snapshots that each can keep. */
export const retentionMax = {
  last: 100,
  daily: 100,
  weekly: 100,
  monthly: 120,
  yearly: 30,
} as const
export type RetentionRule = keyof typeof retentionMax
export const retentionRules = Object.keys(retentionMax) as RetentionRule[]

/** Maximum number of schedules of a project. */
export const SCHEDULES_MAX = 200
/** Maximum number of targets of a schedule. */
export const SCHEDULE_TARGETS_MAX = 100
/** Maximum number of resources that the tags of a schedule stand for in one run. */
export const SCHEDULE_TAGGED_MAX = 1_000
/** Runs of a schedule that are kept; older ones are removed. */
export const SCHEDULE_RUNS_KEPT = 50
/** Maximum number of snapshots that the retention removes in one run; the next goes on. */
export const RETENTION_DELETES_MAX = 1_000
/** Characters of a cron expression. */
export const CRON_MAX = 100
/** Characters of the name of a time zone. */
export const TIME_ZONE_MAX = 64
/** Schedules that cover one instance or disk, at most, in a list. */
export const COVERING_SCHEDULES_MAX = 100
/** Runs that forms and pages preview. */
export const NEXT_RUNS_SHOWN = 5
/** Milliseconds after its time from which a run is shown as late. */
export const SCHEDULE_LATE_MS = 60_000

export const scheduleMessages = {
  cronLength: `a cron expression has at most ${CRON_MAX} characters`,
  cronFields:
    'a cron expression has five fields: minute, hour, day of month, month and day of week',
  cronCurrent: 'a cron expression cannot have "?", which stands for the current time',
  cronNever: 'this expression never runs',
  cronTooOften: (minutes: number) => `runs must be at least ${minutes} minutes apart`,
  timeZone: 'must be the name of a time zone, such as Europe/Berlin or UTC',
  timePast: 'the time must be in the future',
  tooMany: `there may be at most ${SCHEDULES_MAX} schedules in a project`,
  tooManyTargets: `a schedule has at most ${SCHEDULE_TARGETS_MAX} targets`,
  noTargets: 'a schedule needs at least one target',
  targetKind: (action: ScheduleActionName) =>
    `the action "${action}" has only targets of these kinds: ${scheduleTargets(action).join(', ')}`,
  otherProject: 'a target must be in the project of the schedule',
  retentionNone: 'retention needs at least one number above zero; without it, all are kept',
  retentionMax: (rule: RetentionRule) => `${rule} must be at most ${retentionMax[rule]}`,
  retentionAction: 'only snapshots have a retention',
  ended: 'Its only run has begun. Give it a new time instead',
  running: (number: number) => `Run ${number} has not ended yet`,
  /** Reasons for the failure of a run. */
  targetsGone: 'It has no targets any more',
  nothingTagged: 'No resource of the project has its tags',
  tooManyTagged: (kind: ScheduleResourceKind) =>
    `More than ${SCHEDULE_TAGGED_MAX} ${kind}s have its tags`,
  noAuthor: 'The user who last changed it was deleted or deactivated',
  noToken:
    'The access token with which it was last changed has expired or was deleted. Save it again',
  mayNot: (user: string) =>
    `${user}, who last changed it, may no longer do this in the project. Save it again as a user who may`,
  itemsFailed: (failed: number, all: number) => `${failed} of ${all} failed`,
} as const
