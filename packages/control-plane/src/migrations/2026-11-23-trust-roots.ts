import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** The roots by which repositories of updates are trusted. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    fleet_id: 'text',
    root: 'text',
    digest: 'text',
    time_created: 'text',
  }
  await table(db, dialect, 'trust_root', columns, ['id'])
  await index(db, 'trust_root_digest', 'trust_root', ['digest'], { unique: true })
}
