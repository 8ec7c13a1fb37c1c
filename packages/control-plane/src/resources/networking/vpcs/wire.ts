import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireVpc = (row: Row<'vpc'>): Wire.Vpc => ({
  ...identityOf(row),
  project_id: row.project_id,
  system_router_id: row.system_router_id,
  ipv6_prefix: row.ipv6_prefix,
  dns_name: row.dns_name,
})

/** VPCs with the numbers of their firewall rules. */
export async function toWireListedVpcs(rows: Row<'vpc'>[], db: Db): Promise<Wire.ListedVpc[]> {
  if (rows.length === 0) return []
  const counted = await db
    .selectFrom('vpc_firewall_rule')
    .select(({ fn }) => ['vpc_id', fn.countAll<number>().as('count')])
    .where(
      'vpc_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('time_deleted', 'is', null)
    .groupBy('vpc_id')
    .execute()
  const counts = new Map(counted.map(({ vpc_id, count }) => [vpc_id, count]))
  return rows.map((row) => ({ ...toWireVpc(row), firewall_rule_count: counts.get(row.id) ?? 0 }))
}
