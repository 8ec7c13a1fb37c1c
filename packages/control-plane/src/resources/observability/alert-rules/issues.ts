import { sql } from 'kysely'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { type RuleRow, thresholdOf } from './wire.ts'

interface Found extends RuleRow {
  project: string | null
  silo: string | null
  silo_id: string | null
}

export const ruleIssues: Finder = async ({ db, actor }) => {
  const rules = async (condition: string) => {
    const { rows } = await sql<Found>`
      select its.*, project.name as project, silo.name as silo, silo.id as silo_id
      from alert_rule as its
        left join project on project.id = its.project_id
        left join silo on silo.id = project.silo_id
      where ${sql.raw(condition)} and (its.project_id is null or project.time_deleted is null)
      order by its.time_state_updated limit ${ISSUE_ROWS}`.execute(db)
    return rows.map((row) => ({
      row,
      location: {
        name: row.name,
        project: row.project,
        silo: row.silo,
        own: row.silo_id === actor.siloId,
      },
    }))
  }
  const firing = (await rules('its.firing > 0')).map(({ row, location }) => {
    const {
      id,
      severity,
      time_state_updated: since,
      firing: series,
      comparison,
      duration,
      units,
    } = row
    const facts = { ...location, series, comparison, threshold: thresholdOf(row), duration, units }
    return issue(`alert_rule_${severity}`, id, since, facts)
  })
  const failing = (await rules('its.problem is not null')).map(({ row, location }) =>
    issue('alert_rule_failing', row.id, row.time_state_updated, {
      ...location,
      enabled: row.enabled === 1,
      problem: row.problem!,
    }),
  )
  return [...firing, ...failing]
}
