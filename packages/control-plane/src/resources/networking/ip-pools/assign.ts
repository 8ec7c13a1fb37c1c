import { type IpPoolAssignment, ipPoolMessages } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { isLinked, removeLinks, emitPoolEvents } from '../pools/links.ts'
import { ipPools } from './links.ts'

type Pool = Row<'system_ip_pool'>

/** Whether a pool is the only one for system services. */
async function isLastOfServices(db: Db, pool: Pool): Promise<boolean> {
  if (pool.assignment !== 'system_services') return false
  const other = await rowsOf(db, 'system_ip_pool')
    .select('its.id')
    .where('its.assignment', '=', 'system_services')
    .where('its.id', '!=', pool.id)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/**
 * @throws ApiError 400 if it already has that assignment, is linked to a silo, or is the last one
 *   of system services
 */
export async function assignPool(
  writing: Writing,
  pool: Pool,
  assignment: IpPoolAssignment,
): Promise<Pool> {
  const { db, now } = writing
  if (pool.assignment === assignment) throw fail.invalidRequest(ipPoolMessages.assigned(assignment))
  if (await isLinked(db, ipPools, pool.id)) {
    throw fail.invalidRequest(ipPoolMessages.linkedAndAssigned)
  }
  if (await isLastOfServices(db, pool)) throw fail.invalidRequest(ipPoolMessages.lastReassigned)
  const changed = { assignment, time_modified: now.toISOString() }
  await changeRow(db, 'ip_pool', pool.id, changed)
  await emitPoolEvents(writing, ipPools, pool, 'update')
  return { ...pool, ...changed }
}

/**
 * @throws ApiError 400 while it has ranges, a service has an address of it, or if it is the last
 *   one of system services
 */
export async function deletePool(writing: Writing, pool: Pool): Promise<void> {
  const { db, now } = writing
  if (pool.assignment === 'system_services' && pool.allocated > 0) {
    throw fail.invalidRequest(ipPoolMessages.inService)
  }
  const range = await db
    .selectFrom('ip_pool_range')
    .select('id')
    .where('ip_pool_id', '=', pool.id)
    .limit(1)
    .executeTakeFirst()
  if (range) throw fail.invalidRequest(ipPoolMessages.hasRanges)
  if (await isLastOfServices(db, pool)) throw fail.invalidRequest(ipPoolMessages.lastDeleted)
  await emitPoolEvents(writing, ipPools, pool, 'delete')
  await removeLinks(db, ipPools, pool.id)
  await changeRow(db, 'ip_pool', pool.id, { time_deleted: now.toISOString() })
}
