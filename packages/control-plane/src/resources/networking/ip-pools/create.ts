import type { Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'

/** @throws ApiError 400 for a name that is taken */
export async function createPool(
  { db, now, emit }: Writing,
  { name, description, ip_version, pool_type, assignment }: Wire.IpPoolCreate,
): Promise<Row<'system_ip_pool'>> {
  await requireFreeName(db, 'system_ip_pool', FLEET_ID, name)
  const time = now.toISOString()
  const pool: Row<'system_ip_pool'> = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    ...named(name),
    description,
    ip_version,
    pool_type,
    assignment,
    allocated: 0,
    time_created: time,
    time_modified: time,
    time_deleted: null,
  }
  await db.insertInto('ip_pool').values(pool).execute()
  await emit('system_ip_pool', 'create', { id: pool.id, name })
  return pool
}
