/** The part of an overview that says which first steps are done. */
import type { Wire } from '@steading/api'
import { FLEET_ID, firstSteps, type OverviewScope } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'

type Done<Scope extends OverviewScope> = Record<
  (typeof firstSteps)[Scope][number],
  RawBuilder<unknown> | boolean
>

/** @param done per step whether it is done, or a query that finds a row if so */
async function stepsOf<Scope extends OverviewScope>(
  db: Db,
  scope: Scope,
  done: Done<Scope>,
): Promise<Wire.OverviewStep[]> {
  const steps = firstSteps[scope] as readonly (keyof Done<Scope> & string)[]
  const found = (step: keyof Done<Scope>) =>
    typeof done[step] === 'boolean'
      ? sql`1 = ${sql.lit(Number(done[step]))}`
      : sql`exists (${done[step]})`
  const { rows } = await sql<Record<string, number>>`select ${sql.join(
    steps.map((step) => sql`case when ${found(step)} then 1 else 0 end as ${sql.ref(step)}`),
  )}`.execute(db)
  return steps.map((step) => ({
    step: step as Wire.OverviewStepName,
    done: Number(rows[0]![step]) === 1,
  }))
}

const siloImage = (siloId: string) => sql`select 1 from image
  where silo_id = ${siloId} and project_id is null and time_deleted is null`

/** @param usesSiloImages whether the caller may read the images of the silo */
export const stepsOfProject = (
  db: Db,
  { id, silo_id: siloId }: Row<'project'>,
  userId: string,
  usesSiloImages: boolean,
): Promise<Wire.OverviewStep[]> =>
  stepsOf(db, 'project', {
    image: sql`select 1 from image
      where project_id = ${id} and project_id is not null and time_deleted is null
      ${usesSiloImages ? sql`union all ${siloImage(siloId)}` : sql``}`,
    subnet: sql`select 1 from vpc join vpc_subnet as subnet on subnet.vpc_id = vpc.id
      where vpc.project_id = ${id} and vpc.time_deleted is null and subnet.time_deleted is null`,
    ip_pool: sql`select 1 from ip_pool_silo_link where silo_id = ${siloId}`,
    ssh_key: sql`select 1 from ssh_key where silo_user_id = ${userId} and time_deleted is null`,
    instance: sql`select 1 from instance where project_id = ${id} and time_deleted is null`,
  })

export const stepsOfSilo = (db: Db, { id }: Row<'silo'>): Promise<Wire.OverviewStep[]> =>
  stepsOf(db, 'silo', {
    quota: sql`select 1 from silo
      where id = ${id} and quota_cpus > 0 and quota_memory > 0 and quota_storage > 0`,
    image: siloImage(id),
    second_user: sql`select 1 from silo_user
      where silo_id = ${id} and time_deleted is null limit 1 offset 1`,
    project: sql`select 1 from project where silo_id = ${id} and time_deleted is null`,
  })

export const stepsOfFleet = (db: Db, isSimulated: boolean): Promise<Wire.OverviewStep[]> =>
  stepsOf(db, 'fleet', {
    real_machines: !isSimulated,
    ip_pool: sql`select 1 from ip_pool
        join ip_pool_silo_link as link on link.ip_pool_id = ip_pool.id
        join ip_pool_range as part on part.ip_pool_id = ip_pool.id
      where ip_pool.time_deleted is null`,
    second_silo: sql`select 1 from silo
      where listed_in = ${FLEET_ID} and time_deleted is null limit 1 offset 1`,
  })
