import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    token_hash: 'text',
    silo_id: 'text',
    time_created: 'text',
    time_expires: 'text?',
  }
  await table(db, dialect, 'scim_token', columns, ['id'])
  await index(db, 'scim_token_hash', 'scim_token', ['token_hash'], { unique: true })
  await index(db, 'scim_token_silo', 'scim_token', ['silo_id', 'time_created', 'id'])
}
