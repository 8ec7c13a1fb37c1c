import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, textType } from './build.ts'

/**
 * Snapshots say how consistent their file systems are, which nobody knows of earlier ones. Volumes
 * over a block store know the machine that has them.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = textType(dialect)
  await db.schema.alterTable('snapshot').addColumn('consistency', text).execute()
  await db.schema.dropIndex('snapshot_search').execute()
  const searched = ['name', 'description', 'state', 'consistency', 'time_deleted']
  await index(db, 'snapshot_search', 'snapshot', ['project_id', ...searched, 'id'], {
    where: `${live} and name <> ''`,
  })
  await index(db, 'snapshot_by_consistency', 'snapshot', ['project_id', 'consistency', 'id'], {
    where: live,
  })
  for (const column of ['machine_id', 'consistency']) {
    await db.schema.alterTable('volume').addColumn(column, 'text').execute()
  }
  await sql`update volume set machine_id =
    (select instance.vm_id from disk join instance on instance.id = disk.instance_id
      where disk.id = volume.id and disk.time_deleted is null)`.execute(db)
}
