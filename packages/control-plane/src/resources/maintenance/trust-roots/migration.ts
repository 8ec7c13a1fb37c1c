import type { Kysely } from 'kysely'
import type { Dialect } from '../../../kernel/db/database.ts'
import { index, table } from '../../../migrations/build.ts'

/** The roots of trust for update repositories. */
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

/** Permits adding a root again, which the contract does not refuse. */
export async function repeatedRoots(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('trust_root_digest').execute()
}
