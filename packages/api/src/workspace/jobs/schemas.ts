import { NAME_MAX } from '../../rules/names.ts'
import { FILTER_MAX, PARTS_MAX } from '../../rules/limits.ts'
import { JobStep } from './job-step.ts'
import { TagsChange } from '../tags/schemas.ts'
import { jobResourceKinds, jobTargetKinds } from '../../kinds/index.ts'
import { JOB_ITEMS_MAX, jobActions, jobItemStates, jobStates } from './rules.ts'
import {
  array,
  boolean,
  dateTime,
  list,
  map,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  string,
  tagged,
  text,
  uint32,
  uint64,
  uuid,
} from '../../schema.ts'

export const JobAction = named('JobAction', oneOf(...jobActions))
export const JobTargetKind = named('JobTargetKind', oneOf(...jobTargetKinds))
export const JobResourceKind = named('JobResourceKind', oneOf(...jobResourceKinds))
export const JobState = named('JobState', oneOf(...jobStates))
export const JobItemState = named('JobItemState', oneOf(...jobItemStates))

/** Targets of a job: given by id, or all results of a list search. */
export const JobTarget = named(
  'JobTarget',
  tagged('type', {
    ids: { ids: array(uuid, JOB_ITEMS_MAX) },
    /** Query parameters of the list in `/x/v1`: `search` and its filters. */
    matching: { query: map(text(FILTER_MAX), PARTS_MAX, NAME_MAX) },
  }),
)

export const JobCreate = record('JobCreate', {
  action: JobAction,
  kind: JobTargetKind,
  /** Project of the targets; absent for projects and for silo images. */
  project: NameOrId.nullable().optional(),
  target: JobTarget,
  /**
   * Only for deletions: obstacles are removed first (instances stopped, disks detached, contents
   * deleted).
   */
  chain: boolean.nullable().optional(),
  /** Only for deletions: dependents of these kinds are deleted too. */
  with: array(JobResourceKind, jobResourceKinds.length).nullable().optional(),
  /** Only for tagging: the change of each target's tags. */
  tags: TagsChange.nullable().optional(),
})

/** Number of items per state. */
export const JobCounts = record(
  'JobCounts',
  Object.fromEntries(jobItemStates.map((state) => [state, uint64])),
)

/** Names of the containers of a resource, nearest first; none directly in a project or a silo. */
const inside = list(Name)

export const Job = record('Job', {
  id: uuid,
  action: JobAction,
  kind: JobTargetKind,
  /** Number of targets; there may be more items. */
  targets: uint64,
  /** Name of the only target; null for several. */
  name: Name.nullable(),
  /** Containers of the only target. */
  inside,
  project_id: uuid.nullable(),
  /** Project name when the job was created. */
  project_name: Name.nullable(),
  /** The change of each target's tags; null for other actions. */
  tags: TagsChange.nullable(),
  state: JobState,
  /** Number of deleted resources that hold data, if no step fails. */
  destroys: uint64,
  counts: JobCounts,
  time_created: dateTime,
  time_started: dateTime.nullable(),
  time_finished: dateTime.nullable(),
})

export const JobResource = record('JobResource', {
  kind: JobResourceKind,
  id: uuid,
  name: Name,
  inside,
})

export const JobItem = record('JobItem', {
  /** Position in the job, from zero. */
  position: uint32,
  /** Items of a stage wait for all earlier stages. */
  stage: uint32,
  step: JobStep,
  thing: JobResource,
  /** Name of the snapshot to be created. */
  makes: Name.nullable(),
  state: JobItemState,
  /** Reason for the refusal or failure. */
  reason: string.nullable(),
  time_started: dateTime.nullable(),
  time_finished: dateTime.nullable(),
})
