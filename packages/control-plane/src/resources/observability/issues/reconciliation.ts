/** Resources whose steps fail repeatedly, of every kind that the reconciler handles. */
import type { ReconciledKind } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { STEP_FAILING } from '../../../kernel/reconciler/reconciler.ts'

/** Columns with the name, project and user of a resource; a kind without one has null. */
const places: Record<ReconciledKind, Partial<Record<'name' | 'project' | 'user', string>>> = {
  instance: { name: 'name', project: 'project_id' },
  instance_network: { name: 'instance_id', project: 'project_id' },
  disk: { name: 'name', project: 'project_id' },
  snapshot: { name: 'name', project: 'project_id' },
  job: { user: 'user_id' },
  multicast_group: { name: 'name' },
  alert_receiver: { name: 'name' },
  rack: {},
  system_update: {},
  support_bundle: {},
}

async function failing(db: Db, kind: ReconciledKind) {
  const { name = 'id', project, user } = places[kind]
  const column = (of: string | undefined) =>
    of === undefined ? sql<string | null>`null` : sql<string | null>`${sql.ref(`its.${of}`)}`
  const { rows } = await sql<{
    id: string
    name: string
    step_failures: number
    step_failure: string
    time_step_failed: string
    user_id: string | null
    project: string | null
    silo: string | null
    silo_id: string | null
  }>`
    select its.id, ${sql.ref(`its.${name}`)} as name, step_failures, step_failure, time_step_failed,
      ${column(user)} as user_id, project.name as project, silo.name as silo, silo.id as silo_id
    from (select * from ${sql.table(kind)} where ${sql.raw(STEP_FAILING)}
      order by time_step_failed limit ${ISSUE_ROWS}) as its
    left join project on project.id = ${column(project)}
    left join silo_user on silo_user.id = ${column(user)}
    left join silo on silo.id = coalesce(project.silo_id, silo_user.silo_id)
    order by time_step_failed`.execute(db)
  return rows
}

export const reconciliationIssues: Finder = async ({ db, actor }) => {
  const kinds = Object.keys(places) as ReconciledKind[]
  const found = await Promise.all(
    kinds.map(async (kind) =>
      (await failing(db, kind)).map((row) => {
        const { id, name, project, silo } = row
        const own =
          row.user_id === null ? row.silo_id === actor.siloId : row.user_id === actor.userId
        return issue('steps_failing', id, row.time_step_failed, {
          kind,
          name,
          project,
          silo,
          own,
          failures: row.step_failures,
          problem: row.step_failure,
        })
      }),
    ),
  )
  return found.flat()
}
