import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, table } from './build.ts'

/**
 * Projects count their use, and the history of silos and projects begins with their present use.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const column of ['used_cpus', 'used_memory', 'used_storage']) {
    await db.schema
      .alterTable('project')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  }
  const held = (column: string) =>
    sql.raw(`coalesce((select sum(${column}) from instance
      where instance.project_id = project.id and vm_id is not null), 0)`)
  const stored = (by: string) =>
    sql.raw(`coalesce((select sum(size) from ${by}
      where ${by}.project_id = project.id and ${by}.${live}), 0)`)
  await sql`update project set used_cpus = ${held('ncpus')}, used_memory = ${held('memory')},
    used_storage = ${stored('disk')} + ${stored('snapshot')}`.execute(db)

  const columns = {
    kind: 'text',
    target_id: 'text',
    time: 'text',
    cpus: 'bigint',
    memory: 'bigint',
    storage: 'bigint',
  }
  await table(db, dialect, 'provisioned', columns, ['kind', 'target_id', 'time'])
  // The history of the fleet is computed from that of all silos.
  await index(db, 'provisioned_time', 'provisioned', ['kind', 'time'])
  const now = new Date().toISOString()
  for (const kind of ['silo', 'project']) {
    await sql`insert into provisioned (kind, target_id, time, cpus, memory, storage)
      select ${sql.lit(kind)}, id, ${sql.lit(now)}, used_cpus, used_memory, used_storage
      from ${sql.table(kind)} where ${sql.raw(live)}`.execute(db)
  }
}
