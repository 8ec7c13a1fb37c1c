import type { Kysely } from 'kysely'
import type { Dialect } from '../../../kernel/db/database.ts'
import { index, table } from '../../../migrations/build.ts'

/** The origin of sessions. */
export async function origins(db: Kysely<unknown>): Promise<void> {
  for (const column of ['client_address', 'user_agent']) {
    await db.schema.alterTable('console_session').addColumn(column, 'text').execute()
  }
}

/** The end of sessions according to the identity provider. */
export async function providerEnds(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('console_session').addColumn('time_expires', 'text').execute()
}

/** The reasons why sessions ended. */
export async function endings(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { token_hash: 'text', reason: 'text', time_ended: 'text' }
  await table(db, dialect, 'ended_session', columns, ['token_hash'])
  await index(db, 'ended_session_time', 'ended_session', ['time_ended'])
}
