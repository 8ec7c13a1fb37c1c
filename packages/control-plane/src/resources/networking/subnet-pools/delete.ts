import { subnetPoolMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { removeLinks, emitPoolEvents } from '../pools/links.ts'
import { subnetPools } from './links.ts'

/** @throws ApiError 400 while it has members */
export async function deleteSubnetPool(
  writing: Writing,
  pool: Row<'system_subnet_pool'>,
): Promise<void> {
  const { db, now } = writing
  const member = await db
    .selectFrom('subnet_pool_member')
    .select('id')
    .where('subnet_pool_id', '=', pool.id)
    .limit(1)
    .executeTakeFirst()
  if (member) throw fail.invalidRequest(subnetPoolMessages.hasMembers)
  await emitPoolEvents(writing, subnetPools, pool, 'delete')
  await removeLinks(db, subnetPools, pool.id)
  await changeRow(db, 'subnet_pool', pool.id, { time_deleted: now.toISOString() })
}
