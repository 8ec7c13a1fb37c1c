/** Resources whose steps fail repeatedly or do not end, of every kind that the reconciler handles. */
import type { ReconciledKind } from '@steading/api'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { STEP_FAILING } from '../../../kernel/reconciler/reconciler.ts'

/** Columns with the name, project and user of a resource; a kind without one has null. */
const places: Record<ReconciledKind, Partial<Record<'name' | 'project' | 'user', string>>> = {
  instance: { name: 'name', project: 'project_id' },
  instance_network: { name: 'instance_id', project: 'project_id' },
  vpc_network: { name: 'id', project: 'project_id' },
  instance_clone: { name: 'name', project: 'project_id' },
  disk: { name: 'name', project: 'project_id' },
  snapshot: { name: 'name', project: 'project_id' },
  image_download: { name: 'name', project: 'project_id' },
  schedule: { name: 'name', project: 'project_id' },
  deleted_resource: { name: 'name', project: 'project_id' },
  job: { user: 'user_id' },
  multicast_group: { name: 'name' },
  alert_receiver: { name: 'name' },
  notification_subscription: { project: 'project_id', user: 'user_id' },
  user_link: { user: 'user_id' },
  password_request: {},
  rack: {},
  host: { name: 'name' },
  storage_pool: { name: 'name' },
  host_fencing: {},
  sled_maintenance: { name: 'sled_id' },
  system_update: {},
  support_bundle: {},
  uplink_host: {},
}

interface Place {
  id: string
  name: string
  user_id: string | null
  project: string | null
  silo: string | null
  silo_id: string | null
}

/**
 * Rows of a kind with their places.
 * @param some a query of rows, named `its` here
 * @param extra further columns
 */
async function placed<Extra>(
  db: Db,
  kind: ReconciledKind,
  some: RawBuilder<unknown>,
  extra: RawBuilder<unknown>,
): Promise<(Place & Extra)[]> {
  const { name = 'id', project, user } = places[kind]
  const column = (of: string | undefined) =>
    of === undefined ? sql<string | null>`null` : sql<string | null>`${sql.ref(`its.${of}`)}`
  const { rows } = await sql<Place & Extra>`
    select its.id, ${sql.ref(`its.${name}`)} as name, ${extra}, ${column(user)} as user_id,
      project.name as project, silo.name as silo, silo.id as silo_id
    from (${some}) as its
    left join project on project.id = ${column(project)}
    left join silo_user on silo_user.id = ${column(user)}
    left join silo on silo.id = coalesce(project.silo_id, silo_user.silo_id)`.execute(db)
  return rows
}

const failing = (db: Db, kind: ReconciledKind) =>
  placed<{ step_failures: number; step_failure: string; time_step_failed: string }>(
    db,
    kind,
    sql`select * from ${sql.table(kind)} where ${sql.raw(STEP_FAILING)}
      order by time_step_failed limit ${ISSUE_ROWS}`,
    sql`step_failures, step_failure, time_step_failed`,
  )

const stuck = (db: Db, kind: ReconciledKind) =>
  placed<{ server: string; time_began: string }>(
    db,
    kind,
    sql`select claimed.*, step.server, step.time_began from endless_step as step
      inner join ${sql.table(kind)} as claimed on claimed.id = step.id and claimed.fence = step.fence
      where step.kind = ${kind} and claimed.lease_until is not null
      order by step.time_began limit ${ISSUE_ROWS}`,
    sql`server, time_began`,
  )

const placeOf = (kind: ReconciledKind, { name, project, silo, ...row }: Place, actor: Actor) => ({
  kind,
  name,
  project,
  silo,
  own: row.user_id === null ? row.silo_id === actor.siloId : row.user_id === actor.userId,
})

export const reconciliationIssues: Finder = async ({ db, actor }) => {
  const kinds = Object.keys(places) as ReconciledKind[]
  const found = await Promise.all(
    kinds.map(async (kind) => [
      // Those of uplinks are found by themselves, after fewer attempts.
      ...(kind === 'uplink_host' ? [] : await failing(db, kind)).map((row) =>
        issue('steps_failing', row.id, row.time_step_failed, {
          ...placeOf(kind, row, actor),
          failures: row.step_failures,
          problem: row.step_failure,
        }),
      ),
      ...(await stuck(db, kind)).map((row) =>
        issue('step_stuck', row.id, row.time_began, {
          ...placeOf(kind, row, actor),
          server: row.server,
        }),
      ),
    ]),
  )
  return found.flat()
}
