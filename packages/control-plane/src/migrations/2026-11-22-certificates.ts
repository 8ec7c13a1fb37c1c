import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { identity, index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    ...identity,
    silo_id: 'text',
    service: 'text',
    cert: 'text',
    key: 'text',
    names: 'text',
    time_starts: 'text',
    time_ends: 'text',
  }
  await table(db, dialect, 'certificate', columns, ['id'])
  await index(db, 'certificate_name', 'certificate', ['silo_id', 'name'], { unique: true })
  await index(db, 'certificate_end', 'certificate', ['time_ends'])
}
