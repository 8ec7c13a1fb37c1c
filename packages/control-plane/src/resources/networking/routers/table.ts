import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type {
  RouteDestinationType,
  RouteKind,
  RouteTargetType,
  VpcRouterKind,
} from '@steading/api/rules'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface VpcRouterTable extends Listed, SoftDeleted {
  vpc_id: string
  kind: VpcRouterKind
}

export interface RouterRouteTable extends Listed, SoftDeleted {
  vpc_router_id: string
  kind: RouteKind
  destination_type: RouteDestinationType
  destination_value: string
  /** The sort key of routes; see `destinationKey`. */
  destination_key: string
  target_type: RouteTargetType
  /** Empty for `drop`. */
  target_value: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    vpc_router: VpcRouterTable
    router_route: RouterRouteTable
  }
}

export const vpcRouterTables: StoredTables = {
  vpc_router: {
    marked: true,
    within: { vpc_id: 'vpc' },
    names: { vpc_router_name: kinds.vpc_router.type },
  },
  router_route: {
    marked: true,
    within: { vpc_router_id: 'vpc_router' },
    names: { router_route_name: kinds.router_route.type },
  },
}
