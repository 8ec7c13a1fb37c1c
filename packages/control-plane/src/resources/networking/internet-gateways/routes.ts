import type { Db } from '../../../kernel/db/database.ts'
import '../routers/table.ts'

/** The live routes of a VPC to gateways with the given names. */
export const routesTo = (db: Db, vpcId: string, gatewayNames: string[]) =>
  db
    .selectFrom('router_route as route')
    .innerJoin('vpc_router as router', 'router.id', 'route.vpc_router_id')
    .where('router.vpc_id', '=', vpcId)
    .where('router.time_deleted', 'is', null)
    .where('route.time_deleted', 'is', null)
    .where('route.target_type', '=', 'internet_gateway')
    .where('route.target_value', 'in', gatewayNames)
