import { STUCK_AFTER_MS } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'

/** The condition of the index of instances that neither run nor are stopped. */
export const UNSETTLED = "run_state not in ('running', 'stopped', 'destroyed')"

/**
 * Instances that are neither running nor stopped, with their silo and project. The oldest come
 * first.
 */
const unsettled = (db: Db) =>
  db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select(['instance.id', 'instance.name', 'instance.run_state', 'instance.failure'])
    .select(['instance.time_run_state_updated', 'project.name as project'])
    .select(['silo.id as silo_id', 'silo.name as silo'])
    .where('instance.time_deleted', 'is', null)
    // The text is written into the statement, so that the partial index is used.
    .where(sql<boolean>`${sql.raw(UNSETTLED)}`)
    .orderBy('instance.time_run_state_updated')
    .limit(ISSUE_ROWS)

export const instanceIssues: Finder = async ({ db, now, actor }) => {
  const before = new Date(now.getTime() - STUCK_AFTER_MS).toISOString()
  const failed = await unsettled(db).where('run_state', '=', 'failed').execute()
  const stuck = await unsettled(db)
    .where('run_state', '<>', 'failed')
    .where('time_run_state_updated', '<', before)
    .execute()
  return [...failed, ...stuck].map((row) => {
    const { id, name, project, silo, run_state: state, failure: reason } = row
    const place = { name, project, silo, own: row.silo_id === actor.siloId }
    return state === 'failed'
      ? issue('instance_failed', id, row.time_run_state_updated, { ...place, reason })
      : issue('instance_stuck', id, row.time_run_state_updated, { ...place, state })
  })
}
