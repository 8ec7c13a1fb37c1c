import { routeKinds, routeTargetTypes, vpcRouterKinds } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const routerListDefinition: ListDefinition<'vpcRouterList'> = {
  kind: 'vpc_router',
  id: 'vpc-routers',
  operation: 'vpcRouterList',
  searched: 'vpcRouterSearch',
  filters: { kind: vpcRouterKinds },
}

export const routeListDefinition: ListDefinition<'vpcRouterRouteList'> = {
  kind: 'router_route',
  id: 'router-routes',
  operation: 'vpcRouterRouteList',
  searched: 'vpcRouterRouteSearch',
  filters: {
    // Those that no route of this product has are left out.
    kind: routeKinds.filter((kind) => kind !== 'vpc_peering'),
    target: routeTargetTypes.filter((type) => type !== 'vpc'),
  },
}
