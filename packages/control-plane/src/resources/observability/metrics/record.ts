/**
 * Records the capacity provisioned in silos and projects. Their rows count it, so a point is a copy
 * of their values after a change, and no point depends on earlier ones.
 */
import { AHEAD_MS, PROVISIONED_EVERY_MS } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { ProvisionedTable } from './table.ts'

type Kind = ProvisionedTable['kind']

/** If the clock was set back by less than this, later points are certainly wrong. */
const SET_BACK_MS = 24 * 60 * 60 * 1000

/** Removes points in the future, from before the clock was set back. See `recordChange`. */
const removeLater = (db: Db, now: Date) =>
  db
    .deleteFrom('provisioned')
    .where('time', '>', now.toISOString())
    .where('time', '<', new Date(now.getTime() + SET_BACK_MS).toISOString())

const pointsOf = (kind: Kind, now: string, which: RawBuilder<boolean>) => sql`
  select ${sql.lit(kind)}, its.id, ${now}, its.used_cpus, its.used_memory, its.used_storage
  from ${sql.table(kind)} as its where ${which}`

/** Two changes in one millisecond make one point. */
const insertPoints = (db: Db, points: RawBuilder<unknown>) =>
  sql`insert into provisioned (kind, target_id, time, cpus, memory, storage) ${points}
    on conflict (kind, target_id, time) do update set
      cpus = excluded.cpus, memory = excluded.memory, storage = excluded.storage`.execute(db)

export interface Amounts {
  cpus?: number
  memory?: number
  storage?: number
}

/**
 * Counts in a project what its silo has been charged, or given back (then negative), and records
 * the new use of both. Runs in the transaction of the change, after the row of the silo, for which
 * the changes of its projects wait. Points in the future were recorded before the clock was set
 * back, and are removed; after a day of difference, the present clock must be the wrong one.
 */
export async function recordChange(
  db: Db,
  { silo_id: siloId, id: projectId }: Pick<Row<'project'>, 'silo_id' | 'id'>,
  { cpus = 0, memory = 0, storage = 0 }: Amounts,
  now: Date,
): Promise<void> {
  await changeRow(db, 'project', projectId, {
    used_cpus: sql`used_cpus + ${cpus}`,
    used_memory: sql`used_memory + ${memory}`,
    used_storage: sql`used_storage + ${storage}`,
  })
  const time = now.toISOString()
  await removeLater(db, now)
    .where((eb) =>
      eb.or([
        eb('kind', '=', 'silo').and('target_id', '=', siloId),
        eb('kind', '=', 'project').and('target_id', '=', projectId),
      ]),
    )
    .execute()
  await insertPoints(
    db,
    sql`${pointsOf('silo', time, sql`its.id = ${siloId}`)}
      union all ${pointsOf('project', time, sql`its.id = ${projectId}`)}`,
  )
}

/**
 * Records a point for each silo and project that has had none for long, or whose last one differs
 * from its use, and removes points in the future. Runs alone, so that no change comes between its
 * reads and writes.
 */
export async function recordAll(database: OpenDatabase, now: Date): Promise<void> {
  const time = now.toISOString()
  const due = new Date(now.getTime() - PROVISIONED_EVERY_MS).toISOString()
  const dueOf = (kind: Kind) =>
    pointsOf(
      kind,
      time,
      sql`its.time_deleted is null and not exists (
        select 1 from provisioned as point
        where point.kind = ${sql.lit(kind)} and point.target_id = its.id and point.time > ${due}
          and point.time = (select max(time) from provisioned as last
            where last.kind = ${sql.lit(kind)} and last.target_id = its.id and last.time <= ${time})
          and point.cpus = its.used_cpus and point.memory = its.used_memory
          and point.storage = its.used_storage)`,
    )
  await database.transaction(async (tx) => {
    // Clocks of servers differ a little.
    const kinds = ['silo', 'project'] as const
    await removeLater(tx, new Date(now.getTime() + AHEAD_MS))
      .where('kind', 'in', kinds)
      .execute()
    await insertPoints(tx, sql`${dueOf('silo')} union all ${dueOf('project')}`)
  })
}
