import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** Jobs and their items; and events that only one user may know of. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'job',
    {
      id: 'text',
      user_id: 'text',
      action: 'text',
      kind: 'text',
      targets: 'int',
      name: 'text?',
      project_id: 'text?',
      project_name: 'text?',
      state: 'text',
      intent: 'text?',
      counts: 'text?',
      time_told: 'text',
      untold: 'int',
      time_created: 'text',
      time_started: 'text?',
      time_finished: 'text?',
      time_deleted: 'text?',
      reconcile_at: 'text?',
    },
    ['id'],
  )
  await index(db, 'job_of_user', 'job', ['user_id', 'time_created', 'id'], {
    where: 'time_started is not null and time_deleted is null',
  })
  await index(db, 'job_due', 'job', ['reconcile_at'], { where: 'reconcile_at is not null' })
  await table(
    db,
    dialect,
    'job_item',
    {
      job_id: 'text',
      position: 'int',
      stage: 'int',
      step: 'text',
      thing_kind: 'text',
      thing_id: 'text',
      thing_name: 'text',
      makes: 'text?',
      made_id: 'text?',
      state: 'text',
      reason: 'text?',
      time_started: 'text?',
      time_finished: 'text?',
    },
    ['job_id', 'position'],
  )
  // Positions are in the order of the stages.
  await index(db, 'job_item_state', 'job_item', ['job_id', 'state', 'position'])
  await db.schema
    .alterTable('event')
    .addColumn('user_id', sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text'))
    .execute()
}
