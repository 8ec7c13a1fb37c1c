/**
 * Steps of jobs, and the states of jobs and items. The declarations of the kinds name the bulk
 * actions.
 */
import type { DiskStateName } from '../../storage/disks/rules.ts'
import type { InstanceState } from '../../compute/instances/rules.ts'
import type { SnapshotStateName } from '../../storage/snapshots/rules.ts'

export const jobActions = [
  'start',
  'stop',
  'reboot',
  'snapshot',
  'detach',
  'tag',
  'restore',
  'delete',
] as const
export type JobAction = (typeof jobActions)[number]

/**
 * Step of one item. `stop_import` and `finalize` end an import that blocks the deletion of a disk;
 * `unset_boot_disk` acts on the instance; `empty` removes the ranges or members of a pool.
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
 * - `planned`: not started; a preview
 * - `running`: continues whether or not a client follows it
 * - `done`: every item has ended
 */
export const jobStates = ['planned', 'running', 'done'] as const
export type JobState = (typeof jobStates)[number]

/**
 * - `refused`: known beforehand to be impossible; not attempted
 * - `waiting`: its turn has not come
 * - `running`: accepted; the resource is on its way to the desired state
 * - `cancelled`: the job was cancelled before its turn came
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

/** Maximum number of items of a job. */
export const JOB_ITEMS_MAX = 100_000
/** Maximum size in bytes of the request for that many. */
export const JOB_BODY_MAX = 8 * 1024 * 1024
/** Concurrently running items of a job. */
export const JOB_RUNNING_MAX = 1_000
/** Timeout of a running item in milliseconds. */
export const JOB_ITEM_TIMEOUT_MS = 10 * 60 * 1000
/** Minimum interval between two events of a job in milliseconds. */
export const JOB_EVENT_MS = 250
/** Milliseconds after which an unstarted plan is deleted. */
export const JOB_PLAN_KEPT_MS = 60 * 60 * 1000
/** Retention of a job's results in milliseconds. */
export const JOB_KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Meaning of a state for a step: still underway, desired end, or elsewhere. */
type StepState = 'underway' | 'desired' | 'elsewhere'

/** Asynchronous steps, with the meaning of every state of their resources. */
const stepStates = {
  start: {
    creating: 'elsewhere',
    starting: 'underway',
    running: 'desired',
    stopping: 'elsewhere',
    stopped: 'elsewhere',
    rebooting: 'desired',
    migrating: 'desired',
    repairing: 'elsewhere',
    failed: 'elsewhere',
    destroyed: 'elsewhere',
  } satisfies Record<InstanceState, StepState>,
  stop: {
    creating: 'elsewhere',
    starting: 'elsewhere',
    running: 'elsewhere',
    stopping: 'underway',
    stopped: 'desired',
    rebooting: 'elsewhere',
    migrating: 'elsewhere',
    repairing: 'elsewhere',
    failed: 'elsewhere',
    destroyed: 'desired',
  } satisfies Record<InstanceState, StepState>,
  reboot: {
    creating: 'elsewhere',
    starting: 'underway',
    running: 'desired',
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
    ready: 'desired',
    faulted: 'elsewhere',
    destroyed: 'elsewhere',
  } satisfies Record<SnapshotStateName, StepState>,
  finalize: {
    creating: 'elsewhere',
    detached: 'desired',
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

/**
 * For each asynchronous step: the intermediate states, and the desired ones, the usual one first.
 */
export const jobStepEnds = Object.fromEntries(
  Object.entries(stepStates).map(([step, states]) => [
    step,
    { underway: statesThatAre('underway', states), desired: statesThatAre('desired', states) },
  ]),
) as unknown as Record<JobLongStep, { underway: readonly string[]; desired: readonly string[] }>

/** Messages of items and refusals. */
export const jobMessages = {
  noDisks: 'Instance has no disks',
  endedElsewhere: (kind: string, state: string, desired: string) =>
    `${kind} is ${state} instead of ${desired}`,
  tooLate: `not done within ${JOB_ITEM_TIMEOUT_MS / 60_000} minutes`,
  nothingToDo: 'this job has nothing to do: every item is refused',
  notIn: (verb: string, state: JobState) => `job cannot be ${verb} in state "${state}"`,
  abandoned: 'the user who started the job was deleted or deactivated',
  onlyTo: (field: string, action: JobAction) => `${field}: only to ${action}`,
  neededTo: (field: string, action: JobAction) => `${field}: needed to ${action}`,
  nothingToRetry: 'nothing in this job has failed or been cancelled',
} as const
