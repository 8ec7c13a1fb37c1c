import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** One-time passwords, recovery codes and passkeys of users, and the requirements of silos. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const totp = { user_id: 'text', secret: 'text', last_period: 'bigint', time_created: 'text' }
  await table(db, dialect, 'totp', totp, ['user_id'])
  await table(db, dialect, 'recovery_code', { digest: 'text', user_id: 'text' }, ['digest'])
  await index(db, 'recovery_code_user', 'recovery_code', ['user_id'])
  const passkey = {
    id: 'text',
    user_id: 'text',
    name: 'text',
    credential_id: 'text',
    public_key: 'text',
    counter: 'bigint',
    host: 'text',
    transports: 'text',
    synced: 'int',
    time_created: 'text',
    time_last_used: 'text?',
  }
  await table(db, dialect, 'passkey', passkey, ['id'])
  await index(db, 'passkey_credential', 'passkey', ['credential_id'], { unique: true })
  await index(db, 'passkey_user', 'passkey', ['user_id', 'time_created', 'id'])
  const policy = { silo_id: 'text', second_factor: 'text' }
  await table(db, dialect, 'sign_in_policy', policy, ['silo_id'])
}
