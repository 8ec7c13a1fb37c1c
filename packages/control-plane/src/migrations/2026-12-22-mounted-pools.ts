import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, textType } from './build.ts'

/** Storage pools that hosts mount, whose source is searched as well. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const type = textType(dialect)
  await db.schema.alterTable('storage_pool').addColumn('source', type).execute()
  await index(db, 'storage_pool_source', 'storage_pool', ['source'], { unique: true, where: live })
  await db.schema.dropIndex('storage_pool_search').execute()
  const searched = ['name', 'description', 'path', 'source']
  await index(
    db,
    'storage_pool_search',
    'storage_pool',
    ['fleet_id', ...searched, 'type', 'state', 'time_deleted', 'id'],
    { where: `${live} and name <> ''` },
  )
}
