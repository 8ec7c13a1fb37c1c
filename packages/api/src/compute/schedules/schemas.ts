import {
  CRON_MAX,
  retentionRules,
  SCHEDULE_TARGETS_MAX,
  scheduleCauses,
  scheduleItemStates,
  scheduleTargetKinds,
  TIME_ZONE_MAX,
} from './rules.ts'
import { scheduleActions, scheduleRunStates, scheduleStates } from './states.ts'
import { JobResourceKind } from '../../workspace/jobs/schemas.ts'
import { JobStep } from '../../workspace/jobs/job-step.ts'
import {
  boolean,
  dateTime,
  identity,
  identityCreate,
  identityUpdate,
  list,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  ruledText,
  string,
  Tag,
  tagged,
  uint32,
  uuid,
} from '../../schema.ts'

export const ScheduleAction = named('ScheduleAction', oneOf(...scheduleActions))
export const ScheduleState = named('ScheduleState', oneOf(...scheduleStates))
export const ScheduleRunState = named('ScheduleRunState', oneOf(...scheduleRunStates))
const ScheduleItemState = named('ScheduleItemState', oneOf(...scheduleItemStates))
const ScheduleCause = named('ScheduleCause', oneOf(...scheduleCauses))
const ScheduleTargetKind = named('ScheduleTargetKind', oneOf(...scheduleTargetKinds))

const ScheduleRecurrence = named(
  'ScheduleRecurrence',
  tagged('type', {
    /** Five fields, in a time zone of the IANA database. */
    cron: { expression: ruledText(CRON_MAX), time_zone: ruledText(TIME_ZONE_MAX) },
    once: { time_due: dateTime },
  }),
)

/** Numbers of snapshots to keep of each disk, among those that the schedule made. */
const ScheduleRetention = record(
  'ScheduleRetention',
  Object.fromEntries(retentionRules.map((rule) => [rule, uint32.default(0)])),
)

/**
 * A target that is selected by name or id, or a tag: all instances with it, and for snapshots all
 * disks. A key alone stands for all its values.
 */
const ScheduleTargetSelector = named(
  'ScheduleTargetSelector',
  tagged(
    'kind',
    Object.fromEntries(
      scheduleTargetKinds.map((kind) => [kind, { [kind]: kind === 'tag' ? Tag : NameOrId }]),
    ),
  ),
)
const targets = ruledArray(ScheduleTargetSelector, SCHEDULE_TARGETS_MAX)

const ScheduleLastRun = record('ScheduleLastRun', {
  id: uuid,
  number: uint32,
  state: ScheduleRunState,
  time_started: dateTime,
  /** Reason for its failure; null unless it has failed. */
  reason: string.nullable(),
})

export const Schedule = record('Schedule', {
  ...identity,
  project_id: uuid,
  action: ScheduleAction,
  recurrence: ScheduleRecurrence,
  /** Null keeps all snapshots, and for other actions. */
  retention: ScheduleRetention.nullable(),
  state: ScheduleState,
  /** The user who last changed it, whose rights its runs have. */
  user_id: uuid,
  /** Null if the user was deleted. */
  user_name: string.nullable(),
  /** Numbers of targets. */
  instances: uint32,
  disks: uint32,
  tags: uint32,
  /** Null while it is paused, and once it has ended. */
  time_next: dateTime.nullable(),
  last_run: ScheduleLastRun.nullable(),
})

export const ScheduleCreate = record('ScheduleCreate', {
  ...identityCreate,
  action: ScheduleAction,
  recurrence: ScheduleRecurrence,
  retention: ScheduleRetention.nullable().optional(),
  targets,
  enabled: boolean.default(true),
})

/** Absent fields remain unchanged. The schedule acts as the caller from now on. */
export const ScheduleUpdate = record('ScheduleUpdate', {
  ...identityUpdate,
  action: ScheduleAction.nullable().optional(),
  recurrence: ScheduleRecurrence.nullable().optional(),
  /** Null keeps all snapshots. */
  retention: ScheduleRetention.nullable().optional(),
  targets: targets.nullable().optional(),
  enabled: boolean.nullable().optional(),
})

const ScheduleTarget = record('ScheduleTarget', {
  kind: ScheduleTargetKind,
  /** Null for a tag. */
  id: uuid.nullable(),
  /** Name of the resource, or the tag. */
  name: string,
})
export const ScheduleTargets = record('ScheduleTargets', { items: list(ScheduleTarget) })
export const CoveringSchedules = record('CoveringSchedules', { items: list(Schedule) })

const run = {
  id: uuid,
  schedule_id: uuid,
  /** Counts the runs of the schedule. */
  number: uint32,
  cause: ScheduleCause,
  /** Time at which it was due, or requested. */
  time_due: dateTime,
  time_started: dateTime,
  time_finished: dateTime.nullable(),
  state: ScheduleRunState,
  reason: string.nullable(),
  /** The user whose rights it has, with their name at the time. */
  user_id: uuid,
  user_name: string,
  /** Numbers of ended items. */
  succeeded: uint32,
  failed: uint32,
}
export const ScheduleRun = record('ScheduleRun', run)

const ScheduleRunItem = record('ScheduleRunItem', {
  step: JobStep,
  kind: JobResourceKind,
  id: uuid,
  name: string,
  /** The target instance whose disk it is; null for other items. */
  instance_name: string.nullable(),
  /** The snapshot that was taken. */
  made_id: uuid.nullable(),
  made_name: string.nullable(),
  state: ScheduleItemState,
  reason: string.nullable(),
  time_started: dateTime.nullable(),
  time_finished: dateTime.nullable(),
})
export const ScheduleRunDetails = record('ScheduleRunDetails', {
  ...run,
  /** In their order; the removals by the retention come last. */
  items: list(ScheduleRunItem),
})
