import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

/** Images that are being converted at the end of an import, and why the last attempt failed. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'disk_conversion',
    { disk_id: 'text', format: 'text?', percent: 'int', done: 'int', problem: 'text?' },
    ['disk_id'],
    { disk_id: 'disk' },
  )
}
