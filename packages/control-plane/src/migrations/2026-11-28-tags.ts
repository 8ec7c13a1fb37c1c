import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    thing_id: 'text',
    kind: 'text',
    key: 'text',
    value: 'text',
    parent_id: 'text',
    silo_id: 'text?',
    project_id: 'text?',
  }
  await table(db, dialect, 'tag', columns, ['thing_id', 'key'])
  await index(db, 'tag_by_list', 'tag', ['parent_id', 'kind', 'key', 'value', 'thing_id'])
  for (const place of ['project', 'silo']) {
    await index(db, `tag_by_${place}`, 'tag', [`${place}_id`, 'key', 'value', 'kind'], {
      where: `${place}_id is not null`,
    })
  }
}
