import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    thing_id: 'text',
    version: 'int',
    kind: 'text',
    text: 'text',
    author_id: 'text?',
    author_name: 'text?',
    author_silo_id: 'text?',
    time_modified: 'text',
  }
  await table(db, dialect, 'note_version', columns, ['thing_id', 'version'])
}
