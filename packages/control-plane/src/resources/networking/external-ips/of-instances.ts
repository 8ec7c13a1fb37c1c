import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { toWireExternalIp } from './kind.ts'

/** Id of an instance → its addresses. */
export async function externalIpsOf(
  db: Db,
  instanceIds: string[],
): Promise<Map<string, Wire.ExternalIp[]>> {
  const found = new Map<string, Wire.ExternalIp[]>(instanceIds.map((id) => [id, []]))
  if (instanceIds.length === 0) return found
  const rows = await db
    .selectFrom('external_ip')
    .selectAll()
    .where('instance_id', 'in', instanceIds)
    .orderBy('kind')
    .orderBy('ip_key')
    .execute()
  for (const row of rows) found.get(row.instance_id!)!.push(toWireExternalIp(row))
  return found
}
