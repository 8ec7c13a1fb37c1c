import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    fleet_id: 'text',
    name: 'text',
    state: 'text',
    user_comment: 'text',
    reason_for_creation: 'text',
    reason_for_failure: 'text?',
    volume_id: 'text?',
    size: 'bigint',
    time_created: 'text',
    time_deleted: 'text?',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    fence: 'int',
  }
  await table(db, dialect, 'support_bundle', columns, ['id'])
  const where = { where: live }
  const sorts = {
    name: 'name',
    created: 'time_created',
    state: 'state',
    comment: 'user_comment',
    size: 'size',
  }
  for (const [sort, column] of Object.entries(sorts)) {
    await index(
      db,
      `support_bundle_by_${sort}`,
      'support_bundle',
      ['fleet_id', column, 'id'],
      where,
    )
  }
  const searched = [
    'fleet_id',
    'name',
    'user_comment',
    'state',
    'time_created',
    'time_deleted',
    'id',
  ]
  await index(db, 'support_bundle_search', 'support_bundle', searched, {
    where: `${live} and name <> ''`,
  })
  await index(db, 'support_bundle_due', 'support_bundle', ['reconcile_at'], {
    where: 'reconcile_at is not null',
  })
  await index(db, 'support_bundle_leased', 'support_bundle', ['lease_until'], {
    where: 'lease_until is not null',
  })
}
