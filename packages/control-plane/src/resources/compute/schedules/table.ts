import type { Wire } from '@steading/api'
import {
  kinds,
  type Retention,
  type ScheduleActionName,
  type ScheduleCauseName,
  type ScheduleRunStateName,
  type ScheduleStateName,
} from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag, Listed, Reconciled } from '../../../kernel/db/schema.ts'
import type { StoredTables } from '../../../kernel/db/tables.ts'

/** Removed at once when the schedule is deleted. */
export interface ScheduleTable extends Listed, Reconciled {
  project_id: string
  action: ScheduleActionName
  /** The expression and its time zone, or the time of a one-time action. */
  cron: string | null
  time_zone: string | null
  time_once: string | null
  /** JSON; null keeps all snapshots. */
  retention: string | null
  state: ScheduleStateName
  /**
   * The user who last changed it, whose rights its runs have. Not `user_id`, which would make it
   * private to that user.
   */
  author_id: string
  /** The access token with limits by which it was changed; see {@link Mandate}. */
  token_id: string | null
  /** When it runs next; null while it is paused, and once it has ended. */
  time_next: string | null
  /**
   * The time for which the last due run began. No later run is for an earlier time, so a clock that
   * was set back repeats none.
   */
  time_last: string | null
  /** Number of its runs so far. */
  runs: number
  last_run_id: string | null
  last_result: ScheduleRunStateName | null
  time_last_run: string | null
  /** The failed run that no success has followed yet, with its reason: an issue. */
  failed_run: number | null
  failed_reason: string | null
  time_failed: string | null
}

/**
 * A target: the id of an instance or a disk, or a tag as text.
 */
export interface ScheduleTargetTable {
  schedule_id: string
  kind: Wire.ScheduleTargetKind
  target: string
}

/** A run; its items are those of jobs, in `job_item`. */
export interface ScheduleRunTable {
  id: string
  schedule_id: string
  /** Counts the runs of the schedule, also those that were removed. */
  number: number
  cause: ScheduleCauseName
  time_due: string
  time_started: string
  time_finished: string | null
  state: ScheduleRunStateName
  reason: string | null
  user_id: string
  token_id: string | null
  user_name: string
  succeeded: number
  failed: number
  /** The retention has chosen the snapshots to remove. */
  retained: Flag
}

/** A snapshot that a schedule made. The retention considers no others. */
export interface ScheduleSnapshotTable {
  snapshot_id: string
  schedule_id: string
  disk_id: string
  /** Number of the run. */
  number: number
}

export const retentionColumn = jsonColumn<Retention>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    schedule: ScheduleTable
    schedule_target: ScheduleTargetTable
    schedule_run: ScheduleRunTable
    schedule_snapshot: ScheduleSnapshotTable
  }
}

export const scheduleTables: StoredTables = {
  schedule: {
    actsLater: 'mandate',
    times: {
      time_once: { mayBeAhead: 'the time that its author chose' },
      time_next: { mayBeAhead: 'its next run; its step computes it anew' },
    },
    within: { project_id: 'project' },
    origins: { author_id: 'silo_user' },
    names: { schedule_name: kinds.schedule.type },
  },
  schedule_target: { partOf: { schedule_id: 'schedule' } },
  schedule_run: { actsLater: 'mandate', partOf: { schedule_id: 'schedule' } },
  schedule_snapshot: { partOf: { schedule_id: 'schedule', snapshot_id: 'snapshot' } },
}
