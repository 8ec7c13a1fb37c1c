import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    name: 'text',
    list: 'text',
    user_id: 'text?',
    project_id: 'text?',
    query: 'text',
    columns: 'text',
    position: 'int',
    time_created: 'text',
    time_modified: 'text',
  }
  await table(db, dialect, 'saved_view', columns, ['id'])
  for (const owner of ['user', 'project']) {
    await index(db, `saved_view_${owner}_name`, 'saved_view', [`${owner}_id`, 'list', 'name'], {
      unique: true,
      where: `${owner}_id is not null`,
    })
  }
}
