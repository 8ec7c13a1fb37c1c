import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    user_code: 'text',
    device_code_hash: 'text',
    token_hash: 'text',
    client_id: 'text',
    ttl_seconds: 'bigint?',
    time_created: 'text',
  }
  await table(db, dialect, 'device_auth_request', columns, ['user_code'])
  await index(db, 'device_auth_request_time', 'device_auth_request', ['time_created'])
}
