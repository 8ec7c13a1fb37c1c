import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/** BFD sessions of switches. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    fleet_id: 'text',
    switch_slot: 'text',
    remote: 'text',
    local: 'text?',
    detection_threshold: 'int',
    required_rx: 'bigint',
    mode: 'text',
    time_created: 'text',
  }
  await table(db, dialect, 'bfd_session', columns, ['id'])
  await index(db, 'bfd_session_remote', 'bfd_session', ['switch_slot', 'remote'], { unique: true })
}
