import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, reconciled, reconciledIndexes, table } from './build.ts'

/** Schedules, their targets, runs, and the snapshots that they made. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const schedule = {
    ...listed,
    project_id: 'text',
    action: 'text',
    cron: 'text?',
    time_zone: 'text?',
    time_once: 'text?',
    retention: 'text?',
    state: 'text',
    author_id: 'text',
    time_next: 'text?',
    time_last: 'text?',
    runs: 'int',
    last_run_id: 'text?',
    last_result: 'text?',
    time_last_run: 'text?',
    failed_run: 'int?',
    failed_reason: 'text?',
    time_failed: 'text?',
    ...reconciled,
  }
  await table(db, dialect, 'schedule', schedule, ['id'])
  await index(db, 'schedule_name', 'schedule', ['project_id', 'name'], { unique: true })
  const columns = ['name_key', 'description', 'action', 'state', 'last_result', 'time_created']
  for (const column of columns) {
    await index(db, `schedule_by_${column}`, 'schedule', ['project_id', column, 'id'])
  }
  for (const column of ['time_next', 'last_result']) {
    const sorted = `coalesce(${column}, '')`
    await index(db, `schedule_sorted_by_${column}`, 'schedule', ['project_id', sorted, 'id'])
  }
  const searched = ['name', 'description', 'action', 'state', 'last_result']
  await index(db, 'schedule_search', 'schedule', ['project_id', ...searched, 'id'], {
    where: "name <> ''",
  })
  await index(db, 'schedule_found', 'schedule', ['name'])
  await index(db, 'schedule_of_author', 'schedule', ['author_id'])
  await reconciledIndexes(db, 'schedule')
  // Few schedules have failed.
  await index(db, 'schedule_failed', 'schedule', ['time_failed'], {
    where: 'time_failed is not null',
  })

  const target = { schedule_id: 'text', kind: 'text', target: 'text' }
  await table(db, dialect, 'schedule_target', target, ['schedule_id', 'kind', 'target'])
  await index(db, 'schedule_target_target', 'schedule_target', ['target', 'kind'])

  const run = {
    id: 'text',
    schedule_id: 'text',
    number: 'int',
    cause: 'text',
    time_due: 'text',
    time_started: 'text',
    time_finished: 'text?',
    state: 'text',
    reason: 'text?',
    user_id: 'text',
    user_name: 'text',
    succeeded: 'int',
    failed: 'int',
    retained: 'int',
  }
  await table(db, dialect, 'schedule_run', run, ['id'])
  await index(db, 'schedule_run_time', 'schedule_run', ['schedule_id', 'time_started', 'id'])
  await index(db, 'schedule_run_number', 'schedule_run', ['schedule_id', 'number'], {
    unique: true,
  })
  // A schedule has one run at a time, whichever server began it.
  await index(db, 'schedule_run_running', 'schedule_run', ['schedule_id'], {
    unique: true,
    where: "state = 'running'",
  })

  const item = {
    run_id: 'text',
    position: 'int',
    step: 'text',
    thing_kind: 'text',
    thing_id: 'text',
    thing_name: 'text',
    instance_id: 'text?',
    instance_name: 'text?',
    makes: 'text?',
    made_id: 'text?',
    state: 'text',
    reason: 'text?',
    time_started: 'text?',
    time_finished: 'text?',
  }
  await table(db, dialect, 'schedule_run_item', item, ['run_id', 'position'])

  const snapshot = {
    snapshot_id: 'text',
    schedule_id: 'text',
    disk_id: 'text',
    number: 'int',
  }
  await table(db, dialect, 'schedule_snapshot', snapshot, ['snapshot_id'])
  await index(db, 'schedule_snapshot_disk', 'schedule_snapshot', [
    'schedule_id',
    'disk_id',
    'number',
  ])
}
