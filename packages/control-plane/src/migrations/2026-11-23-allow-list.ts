import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

/** The list of addresses that may reach the services; at first, all of them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { id: 'text', allowed_ips: 'text', time_created: 'text', time_modified: 'text' }
  await table(db, dialect, 'allow_list', columns, ['id'])
  const time = new Date().toISOString()
  await sql`insert into allow_list (id, allowed_ips, time_created, time_modified)
    values (${FLEET_ID}, '{"allow":"any"}', ${time}, ${time})`.execute(db)
}
