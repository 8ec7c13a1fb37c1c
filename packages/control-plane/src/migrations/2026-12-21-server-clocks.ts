import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

/** Machines of servers whose clocks are far from that of the database. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'server_clock',
    { id: 'text', seconds_ahead: 'bigint', time_began: 'text', time_seen: 'text' },
    ['id'],
  )
