import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const damage = { kind: 'text', thing: 'text', bytes: 'bigint?', time_found: 'text' }
  await table(db, dialect, 'damage', damage, ['kind', 'thing'])
  const scrub = { kind: 'text', position: 'text?', time_finished: 'text?' }
  await table(db, dialect, 'scrub', scrub, ['kind'])
}
