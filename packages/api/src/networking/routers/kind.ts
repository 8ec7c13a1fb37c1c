import {
  routeCannotDelete,
  type RouteKind,
  routeKinds,
  routerCannotDelete,
  type VpcRouterKind,
  vpcRouterKinds,
} from './router-kinds.ts'
import { networkReads } from '../reachability/rules.ts'
import { networking } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

export const vpc_router = {
  words: 'router',
  resource: 'routers',
  access: networking,
  parent: 'vpc',
  selectors: {
    both: 'when providing router as an ID vpc and project should not be specified',
    neither: 'router should either be an ID or vpc should be specified',
  },
  listed: true,
  reads: [
    'vpc_deletion',
    'vpc_subnet_list',
    'vpc_router_route_list',
    'vpc_router_route_view',
    ...networkReads,
  ],
  bulk: ['delete'],
  deletion: {
    after: [],
    cascades: [],
    states: vpcRouterKinds,
    // The kind of a router decides, and it never changes.
    obstacle({ state }) {
      const stays = routerCannotDelete(state as VpcRouterKind)
      return stays && { reason: stays.console, steps: [] }
    },
  },
} as const satisfies Kind

export const router_route = {
  words: 'route',
  resource: 'routes',
  access: networking,
  parent: 'vpc_router',
  selectors: {
    both: 'when providing route as an ID router, subnet, vpc, and project should not be specified',
    neither: 'route should either be an ID or router should be specified',
  },
  listed: true,
  reads: [
    'vpc_router_route_list',
    'vpc_router_route_view',
    'vpc_router_deletion',
    'internet_gateway_list',
    'internet_gateway_deletion',
    ...networkReads,
  ],
  bulk: ['delete'],
  deletion: {
    after: [],
    cascades: [],
    states: routeKinds,
    // As for routers.
    obstacle({ state }) {
      const stays = routeCannotDelete(state as RouteKind)
      return stays && { reason: stays.console, steps: [] }
    },
  },
} as const satisfies Kind
