import { JobStep } from './job-step.ts'
import { jobTargetKinds, jobThingKinds } from '../../kinds/index.ts'
import { jobActions, jobItemStates, jobStates } from './rules.ts'
import {
  array,
  boolean,
  dateTime,
  map,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  string,
  tagged,
  uint32,
  uint64,
  uuid,
} from '../../schema.ts'

export const JobAction = named('JobAction', oneOf(...jobActions))
export const JobTargetKind = named('JobTargetKind', oneOf(...jobTargetKinds))
export const JobThingKind = named('JobThingKind', oneOf(...jobThingKinds))
export const JobState = named('JobState', oneOf(...jobStates))
export const JobItemState = named('JobItemState', oneOf(...jobItemStates))

/** The things a job acts on: given by id, or everything that a search of their list finds. */
export const JobTarget = named(
  'JobTarget',
  tagged('type', {
    ids: { ids: array(uuid) },
    /** Query parameters of the list in `/x/v1`: `search` and its filters. */
    matching: { query: map(string) },
  }),
)

export const JobCreate = record('JobCreate', {
  action: JobAction,
  kind: JobTargetKind,
  /** Where the targets are; absent for projects and for images of the silo. */
  project: NameOrId.nullable().optional(),
  target: JobTarget,
  /** Only for deleting: obstacles are removed first (instances stopped, disks detached, contents deleted). */
  chain: boolean.nullable().optional(),
  /** Only for deleting: things of these kinds that would be kept are deleted too. */
  with: array(JobThingKind).nullable().optional(),
})

/** How many items are in which state. */
export const JobCounts = record(
  'JobCounts',
  Object.fromEntries(jobItemStates.map((state) => [state, uint64])),
)

/** The names of what a thing is inside of, the nearest first; none directly in a project or a silo. */
const inside = array(Name)

export const Job = record('Job', {
  id: uuid,
  action: JobAction,
  kind: JobTargetKind,
  /** The number of things the job was asked to act on; there may be more items. */
  targets: uint64,
  /** The name of the only target; null for several. */
  name: Name.nullable(),
  /** What the only target is inside of. */
  inside,
  project_id: uuid.nullable(),
  /** As it was named when the job was made. */
  project_name: Name.nullable(),
  state: JobState,
  /** How many things that hold data are deleted, if none of its steps fails. */
  destroys: uint64,
  counts: JobCounts,
  time_created: dateTime,
  time_started: dateTime.nullable(),
  time_finished: dateTime.nullable(),
})

export const JobThing = record('JobThing', { kind: JobThingKind, id: uuid, name: Name, inside })

export const JobItem = record('JobItem', {
  /** Its place in the job, from zero. */
  position: uint32,
  /** Items of a stage wait for those of all stages before. */
  stage: uint32,
  step: JobStep,
  thing: JobThing,
  /** The name of the snapshot that the item creates. */
  makes: Name.nullable(),
  state: JobItemState,
  /** Why it was refused or failed. */
  reason: string.nullable(),
  time_started: dateTime.nullable(),
  time_finished: dateTime.nullable(),
})
