import type { ReadWithin } from '@steading/api'
import { type RawBuilder, sql } from 'kysely'
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
import { type RuleRow, thresholdOf } from './wire.ts'

interface Found extends RuleRow {
  project: string | null
  silo: string | null
  silo_id: string | null
}

/** Rules that fire, and rules that cannot be evaluated: the conditions of their indexes. */
const conditions = { firing: 'its.firing > 0', failing: 'its.problem is not null' } as const
type Condition = keyof typeof conditions

/** Rules with their project and silo. */
async function rulesThat(
  db: Db,
  condition: Condition,
  place: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select its.*, project.name as project, silo.name as silo, silo.id as silo_id
    from alert_rule as its
      left join project on project.id = its.project_id
      left join silo on silo.id = project.silo_id
    where ${sql.raw(conditions[condition])} and ${place} ${rest}`.execute(db)
  return rows
}

function ruleIssue(
  row: Found,
  condition: Condition,
  { actor, within }: { actor: Actor; within?: ReadWithin },
): FoundIssue {
  const { id, project, silo, time_state_updated: since } = row
  const place = { name: row.name, project, silo, own: row.silo_id === actor.siloId, within }
  if (condition === 'failing') {
    const facts = { ...place, enabled: row.enabled === 1, problem: row.problem! }
    return issue('alert_rule_failing', id, since, facts)
  }
  const { severity, firing: series, comparison, duration, units, tag_filter: filter } = row
  const threshold = thresholdOf(row)
  const facts = { ...place, series, comparison, threshold, duration, units, filter }
  return issue(`alert_rule_${severity}`, id, since, facts)
}

const ofLiveProjects = sql`(its.project_id is null or project.time_deleted is null)`

/**
 * The issues of firing rules, and of rules that cannot be evaluated.
 * @param of only rules of these projects
 */
async function issuesOfRules(
  { db, actor }: Pick<Search, 'db' | 'actor'>,
  of?: { projectIds: readonly string[]; within: ReadWithin },
): Promise<FoundIssue[]> {
  const place = of ? sql`its.project_id in (${sql.join(of.projectIds)})` : ofLiveProjects
  const rest = sql`order by its.time_state_updated ${sql.raw(of ? 'desc' : 'asc')}
    limit ${ISSUE_ROWS}`
  const found = async (condition: Condition) =>
    (await rulesThat(db, condition, place, rest)).map((row) =>
      ruleIssue(row, condition, { actor, within: of?.within }),
    )
  return [...(await found('firing')), ...(await found('failing'))]
}

/** The issues of all rules. */
export const ruleScan: IssueScan = async function* ({ db, actor }) {
  for (const condition of Object.keys(conditions) as Condition[]) {
    const pieces = scanRows(
      (limit, after) =>
        rulesThat(
          db,
          condition,
          after
            ? sql`${ofLiveProjects} and ${later('its.time_state_updated', 'its.id', after)}`
            : ofLiveProjects,
          sql`order by its.time_state_updated, its.id limit ${limit}`,
        ),
      (row) => row.time_state_updated,
    )
    for await (const rows of pieces) {
      yield rows.map((row) => ({
        issue: ruleIssue(row, condition, { actor }),
        siloId: row.silo_id,
        projectId: row.project_id,
      }))
    }
  }
}

export const ruleIssues: Finder = (search) => issuesOfRules(search)

/** The issues of the rules of some projects; the newest of each kind come first. */
export const ruleIssuesIn = (
  search: Pick<Search, 'db' | 'actor'>,
  projectIds: readonly string[],
  within: ReadWithin,
): Promise<FoundIssue[]> =>
  projectIds.length === 0 ? Promise.resolve([]) : issuesOfRules(search, { projectIds, within })
