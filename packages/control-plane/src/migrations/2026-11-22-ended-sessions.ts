import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** Why sessions have ended. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { token_hash: 'text', reason: 'text', time_ended: 'text' }
  await table(db, dialect, 'ended_session', columns, ['token_hash'])
  await index(db, 'ended_session_time', 'ended_session', ['time_ended'])
}
