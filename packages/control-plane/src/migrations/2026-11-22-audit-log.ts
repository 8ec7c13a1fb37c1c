import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** The audit log; its order by time is its primary key. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'audit_log',
    {
      time_completed: 'text',
      id: 'text',
      time_started: 'text',
      request_id: 'text',
      request_uri: 'text',
      operation_id: 'text',
      source_ip: 'text',
      user_agent: 'text?',
      auth_method: 'text?',
      credential_id: 'text?',
      actor_kind: 'text',
      actor_id: 'text?',
      actor_name: 'text?',
      actor_silo_id: 'text?',
      silo_id: 'text?',
      project_id: 'text?',
      target_kind: 'text?',
      target_id: 'text?',
      target_name: 'text?',
      job_id: 'text?',
      result: 'text',
      status: 'int?',
      error_code: 'text?',
      error_message: 'text?',
    },
    ['time_completed', 'id'],
  )
  for (const column of ['silo_id', 'actor_id', 'target_id']) {
    await index(db, `audit_log_${column}`, 'audit_log', [column, 'time_completed', 'id'])
  }
  await table(
    db,
    dialect,
    'audit_log_thing',
    { time_completed: 'text', entry_id: 'text', thing_id: 'text' },
    ['time_completed', 'entry_id', 'thing_id'],
  )
  await index(db, 'audit_log_thing_thing', 'audit_log_thing', [
    'thing_id',
    'time_completed',
    'entry_id',
  ])
}
