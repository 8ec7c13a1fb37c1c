import type { StoredTables } from '../../../kernel/db/tables.ts'
import type { Wire } from '@steading/api'
import {
  type JobAction,
  type JobItemState,
  jobItemStates,
  type JobState,
  type JobStep,
  type JobTargetKind,
  type JobResourceKind,
} from '@steading/api/rules'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

export interface JobTable extends Reconciled {
  id: string
  user_id: string
  /** The access token with limits that it was made with; see {@link Mandate}. */
  token_id: string | null
  /** JSON of the change of tags; null for actions other than `tag`. */
  tags: string | null
  action: JobAction
  kind: JobTargetKind
  targets: number
  name: string | null
  /** The names of the containers of its only target. */
  inside: string
  project_id: string | null
  project_name: string | null
  state: JobState
  /** Number of resources with data that it was planned to delete. */
  destroys: number
  /** The change its items are being prepared for, in batches; null if none is left to prepare. */
  intent: 'cancel' | 'retry' | null
  /** JSON: state → number of items; null while it runs, when they are counted. */
  counts: string | null
  /** When the last event of the job was written, and whether anything has happened since. */
  time_told: string
  untold: Flag
  time_created: string
  time_started: string | null
  time_finished: string | null
  time_deleted: string | null
}

/** An item of a job, or of a run of a schedule. */
export interface JobItemTable {
  /** Id of the job or the run; either deletes its items itself. */
  job_id: string
  /** Position in the job, from zero, in the order of the stages. */
  position: number
  stage: number
  step: JobStep
  thing_kind: JobResourceKind
  thing_id: string
  thing_name: string
  thing_inside: string
  makes: string | null
  /** Position of the item that has to succeed before this one; if it fails, this one is not run. */
  needs_position: number | null
  /** Id of the resource that the item created. */
  made_id: string | null
  state: JobItemState
  reason: string | null
  time_started: string | null
  time_finished: string | null
}

/** The column `tags`. */
export const jobTags = jsonColumn<Wire.TagsChange>()

/** The column `counts`. */
export const jobCounts = jsonColumn<Wire.JobCounts>(
  (found) =>
    Object.fromEntries(
      jobItemStates.map((state) => [state, found[state] ?? 0]),
    ) as unknown as Wire.JobCounts,
)

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    job: JobTable
    job_item: JobItemTable
  }
}

export const jobTables: StoredTables = {
  job: {
    marked: true,
    actsLater: 'mandate',
    origins: { user_id: 'silo_user' },
    // The runner of jobs removes these rows.
    unfinished: 'true',
  },
}
