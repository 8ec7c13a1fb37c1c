import type { AllowedSourceIps } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { allowedIps, type AllowListTable } from './table.ts'

export async function readAllowed(
  db: Db,
): Promise<{ row: Selectable<AllowListTable>; allowed: AllowedSourceIps }> {
  const row = await db.selectFrom('allow_list').selectAll().executeTakeFirstOrThrow()
  return { row, allowed: allowedIps.read(row.allowed_ips) }
}
