import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { anyRowsOf, type Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { countRowsBy } from '../../../kernel/db/rows.ts'
import { routesTo } from './routes.ts'

export const toWireGateway = (row: Row<'internet_gateway'>): Wire.InternetGateway => ({
  ...identityOf(row),
  vpc_id: row.vpc_id,
})

export const toWireIpPool = (row: Row<'internet_gateway_ip_pool'>): Wire.InternetGatewayIpPool => ({
  ...identityOf(row),
  internet_gateway_id: row.internet_gateway_id,
  ip_pool_id: row.ip_pool_id,
})

export const toWireIpAddress = (
  row: Row<'internet_gateway_ip_address'>,
): Wire.InternetGatewayIpAddress => ({
  ...identityOf(row),
  internet_gateway_id: row.internet_gateway_id,
  address: row.address,
})

const attachedTo = <K extends 'internet_gateway_ip_pool' | 'internet_gateway_ip_address'>(
  db: Db,
  kind: K,
  gatewayIds: string[],
) =>
  anyRowsOf(db, kind)
    .selectAll()
    .where('internet_gateway_id', 'in', gatewayIds)
    .orderBy('name')
    .execute() as Promise<unknown> as Promise<Row<K>[]>

const byGateway = <T extends { internet_gateway_id: string }>(rows: T[]): Map<string, T[]> =>
  Map.groupBy(rows, (row) => row.internet_gateway_id)

/** Gateways as shown in a searchable list. */
export async function toWireListedGateways(
  rows: Row<'internet_gateway'>[],
  db: Db,
): Promise<Wire.ListedInternetGateway[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const pools = byGateway(await attachedTo(db, 'internet_gateway_ip_pool', ids))
  const addresses = byGateway(await attachedTo(db, 'internet_gateway_ip_address', ids))
  // A search lists the gateways of one VPC, in which their names are unique.
  const names = rows.map(({ name }) => name)
  const countOf = await countRowsBy(routesTo(db, rows[0]!.vpc_id, names), 'route.target_value')
  return rows.map((row) => ({
    ...toWireGateway(row),
    ip_pools: (pools.get(row.id) ?? []).map((pool) => toWireIpPool(pool)),
    ip_addresses: (addresses.get(row.id) ?? []).map((address) => toWireIpAddress(address)),
    route_count: countOf.get(row.name) ?? 0,
  }))
}
