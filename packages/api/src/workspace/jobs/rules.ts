/** What jobs do, and the states they and their items are in. Which kinds of things they act on is said by the declarations of the kinds. */
import type { DiskStateName } from '../../storage/disks/rules.ts'
import type { InstanceState } from '../../compute/instances/rules.ts'
import type { SnapshotStateName } from '../../storage/snapshots/rules.ts'

export const jobActions = ['start', 'stop', 'reboot', 'snapshot', 'detach', 'delete'] as const
export type JobAction = (typeof jobActions)[number]

/**
 * What one item does. `stop_import` and `finalize` end an import that keeps a disk from being deleted;
 * `unset_boot_disk` is done to the instance; `empty` removes the ranges or members of a pool.
 */
export const jobSteps = [
  ...jobActions,
  'unset_boot_disk',
  'stop_import',
  'finalize',
  'empty',
] as const
export type JobStep = (typeof jobSteps)[number]

/**
 * - `planned`: nothing is done yet; it shows what would be
 * - `running`: goes on whether or not a client follows it
 * - `done`: every item has come to its end
 */
export const jobStates = ['planned', 'running', 'done'] as const
export type JobState = (typeof jobStates)[number]

/**
 * - `refused`: known beforehand not to be possible; not tried
 * - `waiting`: its turn has not come
 * - `running`: accepted; the thing is on its way to where it shall be
 * - `cancelled`: the job was ended before its turn came
 */
export const jobItemStates = [
  'refused',
  'waiting',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const
export type JobItemState = (typeof jobItemStates)[number]

/** Items of one job at most. */
export const JOB_ITEMS_MAX = 100_000
/** Bytes of a body that names so many. */
export const JOB_BODY_MAX = 8 * 1024 * 1024
/** Items of one job that are on their way at once. */
export const JOB_RUNNING_MAX = 1_000
/** Milliseconds an item may be on its way. */
export const JOB_ITEM_TIMEOUT_MS = 10 * 60 * 1000
/** Milliseconds between two events of one job at least. */
export const JOB_EVENT_MS = 250
/** Milliseconds after which a plan that was not started is deleted. */
export const JOB_PLAN_KEPT_MS = 60 * 60 * 1000
/** Milliseconds that the results of a job are kept. */
export const JOB_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** What a state means for a step: the thing is on its way, has arrived, or went elsewhere. */
type StepState = 'underway' | 'wanted' | 'elsewhere'

/** Steps that are not over once they are accepted, and every state their things can be in. */
const stepStates = {
  start: {
    creating: 'elsewhere',
    starting: 'underway',
    running: 'wanted',
    stopping: 'elsewhere',
    stopped: 'elsewhere',
    rebooting: 'wanted',
    migrating: 'wanted',
    repairing: 'elsewhere',
    failed: 'elsewhere',
    destroyed: 'elsewhere',
  } satisfies Record<InstanceState, StepState>,
  stop: {
    creating: 'elsewhere',
    starting: 'elsewhere',
    running: 'elsewhere',
    stopping: 'underway',
    stopped: 'wanted',
    rebooting: 'elsewhere',
    migrating: 'elsewhere',
    repairing: 'elsewhere',
    failed: 'elsewhere',
    destroyed: 'wanted',
  } satisfies Record<InstanceState, StepState>,
  reboot: {
    creating: 'elsewhere',
    starting: 'underway',
    running: 'wanted',
    stopping: 'elsewhere',
    stopped: 'elsewhere',
    rebooting: 'underway',
    migrating: 'elsewhere',
    repairing: 'elsewhere',
    failed: 'elsewhere',
    destroyed: 'elsewhere',
  } satisfies Record<InstanceState, StepState>,
  snapshot: {
    creating: 'underway',
    ready: 'wanted',
    faulted: 'elsewhere',
    destroyed: 'elsewhere',
  } satisfies Record<SnapshotStateName, StepState>,
  finalize: {
    creating: 'elsewhere',
    detached: 'wanted',
    import_ready: 'elsewhere',
    importing_from_url: 'elsewhere',
    importing_from_bulk_writes: 'elsewhere',
    finalizing: 'underway',
    maintenance: 'elsewhere',
    attaching: 'elsewhere',
    attached: 'elsewhere',
    detaching: 'elsewhere',
    destroyed: 'elsewhere',
    faulted: 'elsewhere',
  } satisfies Record<DiskStateName, StepState>,
} as const satisfies Partial<Record<JobStep, Record<string, StepState>>>

const statesThatAre = (meaning: StepState, states: Record<string, StepState>): readonly string[] =>
  Object.keys(states).filter((state) => states[state] === meaning)

export type JobLongStep = keyof typeof stepStates

/** Of each long step: the states on the way, and those it leads to, the usual one first. */
export const jobStepEnds = Object.fromEntries(
  Object.entries(stepStates).map(([step, states]) => [
    step,
    { underway: statesThatAre('underway', states), wanted: statesThatAre('wanted', states) },
  ]),
) as unknown as Record<JobLongStep, { underway: readonly string[]; wanted: readonly string[] }>

/** What items and refusals say. */
export const jobMessages = {
  noDisks: 'Instance has no disks',
  endedElsewhere: (kind: string, state: string, wanted: string) =>
    `${kind} is ${state} instead of ${wanted}`,
  tooLate: `not done within ${JOB_ITEM_TIMEOUT_MS / 60_000} minutes`,
  nothingToDo: 'nothing in this job can be done: every item is refused',
  notIn: (verb: string, state: JobState) => `job cannot be ${verb} in state "${state}"`,
  abandoned: 'the user who started the job was deleted or deactivated',
  nothingToRetry: 'nothing in this job has failed or been cancelled',
} as const
