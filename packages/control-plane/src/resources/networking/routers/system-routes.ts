/** The system router of a VPC and its automatic routes (control plane 8.1 and 8.2). */
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { destinationKey } from './destination-key.ts'
import type { RouterRouteTable } from './table.ts'

type Written = Pick<Writing, 'db' | 'now'>
type RouteRow = Selectable<RouterRouteTable>

const newRow = (now: Date, name: string, description: string) => ({
  id: crypto.randomUUID(),
  ...named(name),
  description,
  time_created: now.toISOString(),
  time_modified: now.toISOString(),
  time_deleted: null,
})

const defaultRoutes = { 'default-v4': '0.0.0.0/0', 'default-v6': '::/0' }

/** Creates the system router of a new VPC, with its default routes to a gateway. */
export async function createSystemRouter(
  { db, now }: Written,
  vpc: { id: string; system_router_id: string },
  gatewayName: string,
): Promise<void> {
  const router = {
    ...newRow(
      now,
      'system',
      'Routes are automatically added to this router as vpc subnets are created',
    ),
    id: vpc.system_router_id,
    vpc_id: vpc.id,
    kind: 'system' as const,
  }
  await db.insertInto('vpc_router').values(router).execute()
  const routes = Object.entries(defaultRoutes).map(([name, net]): RouteRow => ({
    ...newRow(now, name, 'The default route of a vpc'),
    vpc_router_id: router.id,
    kind: 'default',
    destination_type: 'ip_net',
    destination_value: net,
    destination_key: destinationKey({ type: 'ip_net', value: net }),
    target_type: 'internet_gateway',
    target_value: gatewayName,
  }))
  await db.insertInto('router_route').values(routes).execute()
}

/** The name of a route to a subnet: the subnet's, unless a default route has it. */
const subnetRouteName = (routeId: string, subnetName: string): string =>
  Object.hasOwn(defaultRoutes, subnetName) ? `${subnetName}-${routeId}` : subnetName

/** The columns of a route to a subnet that follow from the name of the subnet. */
const namedAfter = (routeId: string, subnetName: string) => ({
  ...named(subnetRouteName(routeId, subnetName)),
  description: `VPC Subnet route for '${subnetName}'`,
  destination_value: subnetName,
  destination_key: destinationKey({ type: 'subnet', value: subnetName }),
  target_value: subnetName,
})

/** Adds the route to a new subnet. */
export async function addSubnetRoute(
  { db, now }: Written,
  systemRouterId: string,
  subnetName: string,
): Promise<void> {
  const row = newRow(now, subnetName, '')
  await db
    .insertInto('router_route')
    .values({
      ...row,
      ...namedAfter(row.id, subnetName),
      vpc_router_id: systemRouterId,
      kind: 'vpc_subnet',
      destination_type: 'subnet',
      target_type: 'subnet',
    })
    .execute()
}

/** The live route to a subnet. */
const subnetRoute = (db: Db, systemRouterId: string, subnetName: string) =>
  db
    .selectFrom('router_route')
    .select('id')
    .where('vpc_router_id', '=', systemRouterId)
    .where('kind', '=', 'vpc_subnet')
    .where('target_value', '=', subnetName)
    .where('time_deleted', 'is', null)

/** Renames the route to a renamed subnet. */
export async function renameSubnetRoute(
  { db, now }: Written,
  systemRouterId: string,
  subnetName: { from: string; to: string },
): Promise<void> {
  const route = await subnetRoute(db, systemRouterId, subnetName.from).executeTakeFirst()
  if (!route) return
  await changeRow(db, 'router_route', route.id, {
    ...namedAfter(route.id, subnetName.to),
    time_modified: now.toISOString(),
  })
}

/** Removes the route to a deleted subnet. */
export async function removeSubnetRoute(
  { db, now }: Written,
  systemRouterId: string,
  subnetName: string,
): Promise<void> {
  await db
    .updateTable('router_route')
    .set({ time_deleted: now.toISOString() })
    .where('id', 'in', subnetRoute(db, systemRouterId, subnetName))
    .execute()
}
