import type { AllowedSourceIps } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { AllowListTable } from './table.ts'

export async function readAllowed(
  db: Db,
): Promise<{ row: Selectable<AllowListTable>; allowed: AllowedSourceIps }> {
  const row = await db.selectFrom('allow_list').selectAll().executeTakeFirstOrThrow()
  return { row, allowed: JSON.parse(row.allowed_ips) as AllowedSourceIps }
}
