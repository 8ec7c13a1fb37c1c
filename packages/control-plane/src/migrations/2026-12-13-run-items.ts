import { type Kysely, sql } from 'kysely'

/** The items of runs of schedules are rows of the table of job items. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into job_item (
      job_id, position, stage, step, thing_kind, thing_id, thing_name, thing_inside, makes, made_id,
      state, reason, time_started, time_finished)
    select
      run_id, position, case step when 'delete' then 1 else 0 end, step, thing_kind, thing_id,
      thing_name, coalesce(instance_name, ''), makes, made_id,
      state, reason, time_started, time_finished
    from schedule_run_item`.execute(db)
  await db.schema.dropTable('schedule_run_item').execute()
}
