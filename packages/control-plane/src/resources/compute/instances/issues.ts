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

/** The condition of the index of instances whose machine is paused. */
export const PAUSED = 'pause is not null'

/** Instances whose machine is paused, with their silo, project and sled. The oldest come first. */
const paused = (db: Db) =>
  db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .innerJoin('sled', 'sled.id', 'instance.sled_id')
    .select(['instance.id', 'instance.name', 'instance.pause', 'instance.time_paused'])
    .select(['project.name as project', 'silo.id as silo_id', 'silo.name as silo'])
    .select(['sled.id as sled_id', 'sled.name as serial'])
    .where(sql<boolean>`${sql.raw(PAUSED)}`)
    .orderBy('time_paused')
    .limit(ISSUE_ROWS)

export const pausedInstances: Finder = async ({ db, actor }) =>
  (await paused(db).execute()).map(({ id, name, project, silo, silo_id, ...row }) =>
    issue('instance_paused', id, row.time_paused, {
      name,
      project,
      silo,
      own: silo_id === actor.siloId,
      reason: row.pause!,
      sled: { id: row.sled_id, serial: row.serial },
    }),
  )

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
