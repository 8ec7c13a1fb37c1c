/** The retention of snapshots. It considers only those that the schedule made itself. */
import { keptSnapshots, RETENTION_DELETES_MAX, type Retention } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Ended } from '../../workspace/jobs/observe.ts'
import type { PlannedItem } from './plan.ts'
import { retentionColumn } from './table.ts'
import type { RunRow, ScheduleRow } from './wire.ts'

/** Whether a run still has to apply the retention of its schedule. */
export const hasRetention = ({ retention, action }: ScheduleRow, { retained }: RunRow): boolean =>
  retention !== null && action === 'snapshot' && retained === 0

/**
 * The disks of which a run took a snapshot. Only their older snapshots may go.
 * @param ended items that have ended and are not yet written as such
 */
function disksOf(db: Db, { id }: Pick<RunRow, 'id'>, ended: readonly Ended[]) {
  const taken = ended.flatMap(({ position, reason }) => (reason === null ? [position] : []))
  return db
    .selectFrom('schedule_run_item')
    .select(['thing_id as id', 'thing_name as name'])
    .where('run_id', '=', id)
    .where('step', '=', 'snapshot')
    .where((eb) => {
      const succeeded = eb('state', '=', 'succeeded')
      return taken.length > 0 ? eb.or([succeeded, eb('position', 'in', taken)]) : succeeded
    })
    .orderBy('position')
    .execute()
}

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

/** The removals at the end of a run. */
export async function planRetention(
  db: Db,
  schedule: ScheduleRow,
  run: RunRow,
  ended: readonly Ended[],
): Promise<PlannedItem[]> {
  const retention = retentionColumn.read(schedule.retention!)
  const items: PlannedItem[] = []
  for (const disk of await disksOf(db, run, ended)) {
    const surplus = await surplusOf(db, schedule, retention, disk.id)
    for (const { id, name } of surplus) items.push(removalOf(id, name))
    if (items.length >= RETENTION_DELETES_MAX) break
    await yieldToEventLoop()
  }
  return items.slice(0, RETENTION_DELETES_MAX)
}

const removalOf = (id: string, name: string): PlannedItem => ({
  step: 'delete',
  thing_kind: 'snapshot',
  thing_id: id,
  thing_name: name,
  instance_id: null,
  instance_name: null,
  makes: null,
  made_id: null,
  state: 'waiting',
  reason: null,
  time_started: null,
  time_finished: null,
})
