/** The firing rules, for callers who may read them. */
import { ISSUES_OF_A_KIND, type Wire } from '@steading/api'
import { alertSeverities } from '@steading/api/rules'
import { sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { Work } from '../../../kernel/work.ts'
import { pick } from '../../../kernel/pick.ts'
import { type RuleRow, thresholdOf } from './wire.ts'

/** True of the rules that a caller may read. */
function isReadable(actor: Actor) {
  const { siloId } = actor
  const system = may(actor, 'read', 'system_alert_rule', {})
  const own = may(actor, 'read', 'alert_rule', { siloId })
    ? sql`project.silo_id = ${siloId}`
    : sql`project.id in (${sql.join([
        '',
        ...[...actor.projectRoles.keys()].filter((projectId) =>
          may(actor, 'read', 'alert_rule', { siloId, projectId }),
        ),
      ])}) and project.silo_id = ${siloId}`
  const inProject = sql`(its.project_id is not null and project.time_deleted is null and ${own})`
  return system ? sql`(its.project_id is null or ${inProject})` : inProject
}

/** @param of only rules of this project, or with a series of this instance or disk */
export async function firingAlerts(
  { db, actor }: Pick<Work, 'db' | 'actor'>,
  of: { project?: string; instance?: string; disk?: string },
): Promise<Wire.FiringAlerts> {
  const about = (['instance', 'disk'] as const).flatMap((thing) => {
    const id = of[thing]
    return id === undefined ? [] : [sql`open.${sql.ref(`${thing}_id`)} = ${id}`]
  })
  const conditions = [
    sql`its.firing > 0`,
    sql`open.time_resolved is null`,
    isReadable(actor),
    ...about,
    ...(of.project === undefined ? [] : [sql`its.project_id = ${of.project}`]),
  ]
  const { rows } = await sql<
    RuleRow & { project_name: string | null; open_series: number; began: string }
  >`
    select its.*, project.name as project_name, found.open_series, found.began
    from (
      select its.id, count(*) as open_series, min(open.time_fired) as began
      from alert_rule as its
        join alert_rule_firing as open on open.rule_id = its.id
        left join project on project.id = its.project_id
      where ${sql.join(conditions, sql` and `)}
      group by its.id
    ) as found
      join alert_rule as its on its.id = found.id
      left join project on project.id = its.project_id
    order by its.severity, found.began, its.id
    limit ${ISSUES_OF_A_KIND + 1}`.execute(db)
  const items = rows.slice(0, ISSUES_OF_A_KIND).map((row): Wire.FiringAlert => ({
    rule_id: row.id,
    rule_name: row.name,
    ...pick(row, 'description', 'severity', 'project_id', 'project_name', 'comparison'),
    threshold: thresholdOf(row),
    duration: row.duration,
    tag_filter: row.tag_filter,
    units: row.units,
    series: Number(row.open_series),
    time_fired: row.began,
  }))
  const rank = ({ severity }: Wire.FiringAlert) => alertSeverities.indexOf(severity)
  return {
    items: items.toSorted((one, other) => rank(one) - rank(other)),
    more: rows.length > items.length,
  }
}
