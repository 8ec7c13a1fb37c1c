/** The first steps of a briefing: those that the caller has the rights for, and which are done. */
import { firstSteps, type StepOf, stepPath, type Wire } from '@steading/api'
import { FLEET_ID, type OverviewScope } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { mayUseSiloImages } from '../../storage/images/lookup.ts'

interface State {
  /** Whether the caller has the rights for the step. */
  offered: boolean
  /** Whether it is done, or a query that finds a row if so. */
  done: RawBuilder<unknown> | boolean
}

/** @param names of the project and the silo in the pages of the steps */
async function stepsOf<Scope extends OverviewScope>(
  db: Db,
  scope: Scope,
  states: Record<StepOf<Scope>, State>,
  names: Readonly<Record<string, string>> = {},
): Promise<Wire.BriefingStep[]> {
  const offered = Object.entries<State>(states).filter(([, state]) => state.offered)
  if (offered.length === 0) return []
  const found = ({ done }: State) =>
    typeof done === 'boolean' ? sql`1 = ${sql.lit(Number(done))}` : sql`exists (${done})`
  const { rows } = await sql<Record<string, number>>`select ${sql.join(
    offered.map(
      ([step, state]) => sql`case when ${found(state)} then 1 else 0 end as ${sql.ref(step)}`,
    ),
  )}`.execute(db)
  return offered.map(([name]) => {
    const step = firstSteps[scope][name as StepOf<Scope>] as Parameters<typeof stepPath>[0]
    const { title, why, action } = step
    const done = Number(rows[0]![name]) === 1
    const path = stepPath(step, names)
    return { step: name as Wire.BriefingStepName, title, why, action, path, done }
  })
}

const siloImage = (siloId: string) => sql`select 1 from image
  where silo_id = ${siloId} and project_id is null and time_deleted is null`

export async function stepsOfProject(
  db: Db,
  { id, name, silo_id: siloId }: Row<'project'>,
  actor: Actor,
): Promise<Wire.BriefingStep[]> {
  const here = { siloId, projectId: id }
  const mayCreate = (kind: 'image' | 'vpc' | 'instance' | 'schedule') =>
    may(actor, 'create', kind, here)
  const usesSiloImages = await mayUseSiloImages({ db, actor }, siloId)
  return stepsOf(
    db,
    'project',
    {
      image: {
        offered: mayCreate('image'),
        done: sql`select 1 from image
          where project_id = ${id} and project_id is not null and time_deleted is null
          ${usesSiloImages ? sql`union all ${siloImage(siloId)}` : sql``}`,
      },
      subnet: {
        offered: mayCreate('vpc'),
        done: sql`select 1 from vpc join vpc_subnet as subnet on subnet.vpc_id = vpc.id
          where vpc.project_id = ${id} and vpc.time_deleted is null
            and subnet.time_deleted is null`,
      },
      ip_pool: {
        offered: may(actor, 'modify', 'system_ip_pool', {}),
        done: sql`select 1 from ip_pool_silo_link where silo_id = ${siloId}`,
      },
      ssh_key: {
        offered:
          mayCreate('instance') &&
          may(actor, 'create', 'ssh_key', { siloId, userId: actor.userId }),
        done: sql`select 1 from ssh_key
          where silo_user_id = ${actor.userId} and time_deleted is null`,
      },
      instance: {
        offered: mayCreate('instance'),
        done: sql`select 1 from instance where project_id = ${id} and time_deleted is null`,
      },
      schedule: {
        offered: mayCreate('schedule'),
        done: sql`select 1 from schedule where project_id = ${id}`,
      },
    },
    { project: name },
  )
}

export async function stepsOfSilo(
  db: Db,
  { id, name }: Row<'silo'>,
  actor: Actor,
): Promise<Wire.BriefingStep[]> {
  const user = await db
    .selectFrom('silo_user')
    .select(['password_hash', 'password_generated'])
    .where('id', '=', actor.userId)
    .executeTakeFirst()
  const here = { siloId: id }
  return stepsOf(
    db,
    'silo',
    {
      password: {
        // Users who chose their password have no such step.
        offered: user?.password_hash !== null && user?.password_generated === 1 && !actor.limits,
        done: false,
      },
      quota: {
        offered: may(actor, 'create', 'fleet', {}),
        done: sql`select 1 from silo
          where id = ${id} and quota_cpus > 0 and quota_memory > 0 and quota_storage > 0`,
      },
      project: {
        offered: may(actor, 'create', 'silo', here),
        done: sql`select 1 from project where silo_id = ${id} and time_deleted is null`,
      },
      image: {
        offered: may(actor, 'create', 'silo_image', here),
        done: siloImage(id),
      },
      second_user: {
        offered: may(actor, 'create', 'silo_user', here),
        done: sql`select 1 from silo_user
          where silo_id = ${id} and time_deleted is null limit 1 offset 1`,
      },
    },
    { silo: name },
  )
}

export const stepsOfFleet = (
  db: Db,
  actor: Actor,
  isSimulated: boolean,
): Promise<Wire.BriefingStep[]> =>
  stepsOf(db, 'fleet', {
    real_machines: { offered: may(actor, 'create', 'fleet', {}), done: !isSimulated },
    ip_pool: {
      offered: may(actor, 'create', 'system_ip_pool', {}),
      done: sql`select 1 from ip_pool
          join ip_pool_silo_link as link on link.ip_pool_id = ip_pool.id
          join ip_pool_range as part on part.ip_pool_id = ip_pool.id
        where ip_pool.time_deleted is null`,
    },
    second_silo: {
      offered: may(actor, 'create', 'fleet', {}),
      done: sql`select 1 from silo
        where listed_in = ${FLEET_ID} and time_deleted is null limit 1 offset 1`,
    },
  })
