import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, reconciled, reconciledIndexes, table } from './build.ts'

/** Deleted resources that can be restored, and the policy of silos about them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('silo')
    .addColumn('restorable_hours', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  const deleted = {
    ...listed,
    silo_id: 'text',
    project_id: 'text',
    kind: 'text',
    inside: 'text',
    size: 'bigint',
    author_id: 'text',
    author_name: 'text',
    time_expires: 'text',
    ...reconciled,
  }
  const name = 'deleted_resource'
  await table(db, dialect, name, deleted, ['id'])
  const sorted = ['name', 'name_key', 'time_created', 'time_expires', 'size', 'author_name', 'kind']
  for (const column of sorted) {
    await index(db, `deleted_resource_by_${column}`, name, ['project_id', column, 'id'])
  }
  const searched = ['name', 'description', 'author_name', 'kind']
  await index(db, 'deleted_resource_search', name, ['project_id', ...searched, 'id'], {
    where: "name <> ''",
  })
  await index(db, 'deleted_resource_found', name, ['name'])
  await index(db, 'deleted_resource_of_silo', name, ['silo_id', 'size'])
  await index(db, 'deleted_resource_of_author', name, ['author_id'])
  await reconciledIndexes(db, 'deleted_resource')

  const row = {
    resource_id: 'text',
    position: 'int',
    table_name: 'text',
    before_row: 'text',
    changed: 'text?',
  }
  await table(db, dialect, 'deleted_row', row, ['resource_id', 'position'])
}
