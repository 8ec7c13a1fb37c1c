/** The retention of snapshots. It considers only those that the schedule made itself. */
import { keptSnapshots, RETENTION_DELETES_MAX, type Retention } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { PlannedStep } from '../../../kernel/job-steps.ts'
import { retentionColumn } from './table.ts'
import type { RunRow, ScheduleRow } from './wire.ts'

/** Whether a run still has to apply the retention of its schedule. */
export const hasRetention = ({ retention, action }: ScheduleRow, { retained }: RunRow): boolean =>
  retention !== null && action === 'snapshot' && retained === 0

/** The disks of which a run took a snapshot. Only their older snapshots may go. */
const disksOf = (db: Db, { id }: Pick<RunRow, 'id'>) =>
  db
    .selectFrom('job_item')
    .select('thing_id as id')
    .where('job_id', '=', id)
    .where('step', '=', 'snapshot')
    .where('state', '=', 'succeeded')
    .orderBy('position')
    .execute()

/** The live snapshots of a disk that a schedule made, the newest first. */
const takenOf = (db: Db, { id }: Pick<ScheduleRow, 'id'>, diskId: string) =>
  db
    .selectFrom('schedule_snapshot as made')
    .innerJoin('snapshot', 'snapshot.id', 'made.snapshot_id')
    .select(['snapshot.id', 'snapshot.name', 'snapshot.state', 'snapshot.time_created'])
    .where('made.schedule_id', '=', id)
    .where('made.disk_id', '=', diskId)
    .where('snapshot.time_deleted', 'is', null)
    .orderBy('made.number', 'desc')
    .execute()

/** The snapshots of a disk that a retention removes, the oldest first. */
async function surplusOf(
  db: Db,
  schedule: ScheduleRow,
  retention: Retention,
  diskId: string,
): Promise<{ id: string; name: string }[]> {
  const taken = (await takenOf(db, schedule, diskId)).map((row) => ({
    ...row,
    time: new Date(row.time_created),
  }))
  const ready = taken.filter(({ state }) => state === 'ready')
  const kept = keptSnapshots(ready, retention, schedule.time_zone ?? 'UTC')
  // A snapshot that failed is no copy of anything.
  return taken
    .filter((one) => one.state === 'faulted' || (one.state === 'ready' && !kept.has(one)))
    .toReversed()
}

/** The removals at the end of a run, once its other items have ended. */
export async function planRetention(
  db: Db,
  schedule: ScheduleRow,
  run: RunRow,
): Promise<PlannedStep[]> {
  const retention = retentionColumn.read(schedule.retention!)
  const steps: PlannedStep[] = []
  for (const disk of await disksOf(db, run)) {
    for (const { id, name } of await surplusOf(db, schedule, retention, disk.id)) {
      steps.push({ step: 'delete', thing: { kind: 'snapshot', id, name }, stage: 1 })
    }
    if (steps.length >= RETENTION_DELETES_MAX) break
    await yieldToEventLoop()
  }
  return steps.slice(0, RETENTION_DELETES_MAX)
}
