import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, table } from './build.ts'

/**
 * Records of use. `resources/tenancy/usage/recording.ts` has the triggers that write them, and fills
 * in the use of existing resources when it creates the triggers. A record that goes on has an end
 * that no clock reaches.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    thing_id: 'text',
    metric: 'text',
    time_start: 'bigint',
    time_end: 'bigint',
    amount: 'bigint',
    name: 'text',
    silo_id: 'text',
    project_id: 'text?',
    tags: 'text',
  }
  await table(db, dialect, 'usage_record', columns, ['thing_id', 'metric', 'time_start'])
  await index(db, 'usage_record_silo', 'usage_record', [
    'silo_id',
    'time_end',
    'thing_id',
    'metric',
  ])
  await index(db, 'usage_record_time', 'usage_record', ['time_end'])
  const places = { id: 'text', kind: 'text', name: 'text', silo_id: 'text?', time_purged: 'bigint' }
  await table(db, dialect, 'usage_place', places, ['id'])
}
