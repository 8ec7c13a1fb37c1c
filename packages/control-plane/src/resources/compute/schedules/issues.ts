import type { ReadWithin } from '@steading/api'
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

/** Schedules whose last ended run has failed, with their project and silo. */
const failed = (db: Db) =>
  db
    .selectFrom('schedule as its')
    .innerJoin('project', 'project.id', 'its.project_id')
    .innerJoin('silo', 'silo.id', 'project.silo_id')
    .select(['its.id', 'its.name', 'its.failed_run', 'its.failed_reason', 'its.time_failed'])
    .select(['its.project_id', 'project.name as project', 'silo.id as silo_id'])
    .select('silo.name as silo')
    .where('its.time_failed', 'is not', null)

type Failed = Awaited<ReturnType<ReturnType<typeof failed>['execute']>>[number]

const failedIssue = (row: Failed, actor: Actor, within?: ReadWithin): FoundIssue =>
  issue('schedule_failed', row.id, row.time_failed, {
    name: row.name,
    project: row.project,
    silo: row.silo,
    own: row.silo_id === actor.siloId,
    within,
    number: row.failed_run!,
    reason: row.failed_reason!,
  })

/**
 * The issues of schedules.
 * @param of only schedules of these projects, the newest first
 */
async function failedSchedules(
  { db, actor }: Pick<Search, 'db' | 'actor'>,
  of?: { projectIds: readonly string[]; within: ReadWithin },
): Promise<FoundIssue[]> {
  let rows = failed(db)
    .orderBy('its.time_failed', of ? 'desc' : 'asc')
    .limit(ISSUE_ROWS)
  if (of) rows = rows.where('its.project_id', 'in', of.projectIds)
  return (await rows.execute()).map((row) => failedIssue(row, actor, of?.within))
}

/** The issues of all schedules. */
export const scheduleScan: IssueScan = async function* ({ db, actor }) {
  const pieces = scanRows(
    (limit, after) => {
      const rows = failed(db).orderBy('its.time_failed').orderBy('its.id').limit(limit)
      return (after ? rows.where(later('its.time_failed', 'its.id', after)) : rows).execute()
    },
    (row) => row.time_failed!,
  )
  for await (const rows of pieces) {
    yield rows.map((row) => ({
      issue: failedIssue(row, actor),
      siloId: row.silo_id,
      projectId: row.project_id,
    }))
  }
}

export const scheduleIssues: Finder = (search) => failedSchedules(search)

export const scheduleIssuesIn = (
  search: Pick<Search, 'db' | 'actor'>,
  projectIds: readonly string[],
  within: ReadWithin,
): Promise<FoundIssue[]> =>
  projectIds.length === 0 ? Promise.resolve([]) : failedSchedules(search, { projectIds, within })
