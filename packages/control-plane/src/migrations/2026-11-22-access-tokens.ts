import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    token_hash: 'text',
    device_code_hash: 'text',
    client_id: 'text',
    user_id: 'text',
    time_created: 'text',
    time_expires: 'text?',
  }
  await table(db, dialect, 'access_token', columns, ['id'])
  const unique = { unique: true }
  await index(db, 'access_token_hash', 'access_token', ['token_hash'], unique)
  await index(db, 'access_token_device', 'access_token', ['device_code_hash'], unique)
  await index(db, 'access_token_user', 'access_token', ['user_id', 'id'])
  await index(db, 'access_token_expiry', 'access_token', ['time_expires'], {
    where: 'time_expires is not null',
  })
}
