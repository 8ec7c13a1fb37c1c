import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { ...listed, time_deleted: 'text?', project_id: 'text', color: 'text' }
  await table(db, dialect, 'widget', columns, ['id'])
  await index(db, 'widget_name', 'widget', ['project_id', 'name'], { unique: true, where: live })
  await index(db, 'widget_deleted', 'widget', ['time_deleted'], {
    where: 'time_deleted is not null',
  })
  const searched = ['project_id', 'name', 'description', 'color', 'id', 'time_deleted']
  await index(db, 'widget_search', 'widget', searched, { where: `${live} and name <> ''` })
  for (const sort of ['name_key', 'description', 'color', 'time_created']) {
    const columns = ['project_id', sort, 'id']
    await index(db, `widget_by_${sort}`, 'widget', columns, { where: live })
  }
}
