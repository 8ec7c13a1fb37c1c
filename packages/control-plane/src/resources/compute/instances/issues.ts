import { type ReadWithin, STUCK_AFTER_MS } from '@steading/api'
import { instanceIsTransitioning, instanceStates } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import {
  type Finder,
  type FoundIssue,
  issue,
  ISSUE_ROWS,
  type IssueScan,
  later,
  scanRows,
  type Search,
} from '../../../kernel/issues.ts'
import type { Row } from '../../../kernel/kinds.ts'

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

/** The time since when an instance in a transitional state is stuck. */
const stuckSince = (now: Date): string => new Date(now.getTime() - STUCK_AFTER_MS).toISOString()

interface Unsettled extends Pick<Row<'instance'>, 'id' | 'name' | 'run_state' | 'failure'> {
  time_run_state_updated: string
  project: string
  silo: string
  silo_id: string
}

function unsettledIssue(row: Unsettled, actor: Actor, within?: ReadWithin): FoundIssue {
  const { id, name, project, silo, run_state: state, failure: reason } = row
  const place = { name, project, silo, own: row.silo_id === actor.siloId, within }
  return state === 'failed'
    ? issue('instance_failed', id, row.time_run_state_updated, { ...place, reason })
    : issue('instance_stuck', id, row.time_run_state_updated, { ...place, state })
}

/** All failed and stuck instances. */
export const instanceScan: IssueScan = async function* ({ db, now, actor }) {
  const pieces = scanRows(
    (limit, after) => {
      const rows = unsettled(db)
        .clearLimit()
        .limit(limit)
        .orderBy('instance.id')
        .select('instance.project_id')
        .where((eb) =>
          eb.or([
            eb('run_state', '=', 'failed'),
            eb('time_run_state_updated', '<', stuckSince(now)),
          ]),
        )
      return (
        after ? rows.where(later('instance.time_run_state_updated', 'instance.id', after)) : rows
      ).execute()
    },
    (row) => row.time_run_state_updated,
  )
  for await (const rows of pieces) {
    yield rows.map((row) => ({
      issue: unsettledIssue(row, actor),
      siloId: row.silo_id,
      projectId: row.project_id,
    }))
  }
}

export const instanceIssues: Finder = async ({ db, now, actor }) => {
  const failed = await unsettled(db).where('run_state', '=', 'failed').execute()
  const stuck = await unsettled(db)
    .where('run_state', '<>', 'failed')
    .where('time_run_state_updated', '<', stuckSince(now))
    .execute()
  return [...failed, ...stuck].map((row) => unsettledIssue(row, actor))
}

const transitional = instanceStates.filter(instanceIsTransitioning)

/** The failed and the stuck instances of some projects; the newest of each come first. */
export async function instanceIssuesIn(
  { db, now, actor }: Pick<Search, 'db' | 'now' | 'actor'>,
  projectIds: readonly string[],
  within: ReadWithin,
): Promise<FoundIssue[]> {
  if (projectIds.length === 0) return []
  const rows = db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select(['instance.id', 'instance.name', 'instance.run_state', 'instance.failure'])
    .select(['instance.time_run_state_updated', 'project.name as project'])
    .select(['silo.id as silo_id', 'silo.name as silo'])
    .where('instance.time_deleted', 'is', null)
    .where('instance.project_id', 'in', [...projectIds])
    .orderBy('instance.time_run_state_updated', 'desc')
    .limit(ISSUE_ROWS)
  const failed = await rows.where('run_state', '=', 'failed').execute()
  const stuck = await rows
    .where('run_state', 'in', transitional)
    .where('time_run_state_updated', '<', stuckSince(now))
    .execute()
  return [...failed, ...stuck].map((row) => unsettledIssue(row, actor, within))
}
