import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    name: 'text',
    description: 'text',
    source: 'text',
    user_id: 'text?',
    project_id: 'text?',
    silo_id: 'text?',
    charts: 'text',
    time_created: 'text',
    time_modified: 'text',
  }
  await table(db, dialect, 'dashboard', columns, ['id'])
  for (const owner of ['user', 'project', 'silo']) {
    await index(db, `dashboard_${owner}_name`, 'dashboard', [`${owner}_id`, 'source', 'name'], {
      unique: true,
      where: `${owner}_id is not null`,
    })
  }
}
