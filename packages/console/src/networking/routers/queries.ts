import { routeKinds, routeTargetTypes, vpcRouterKinds } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import type { VpcParams } from '../vpcs/queries.ts'

export const routerListDefinition: ListDefinition<'vpcRouterList'> = {
  kind: 'vpc_router',
  id: 'vpc-routers',
  operation: 'vpcRouterList',
  filters: { kind: vpcRouterKinds },
}

export const routeListDefinition: ListDefinition<'vpcRouterRouteList'> = {
  kind: 'router_route',
  id: 'router-routes',
  operation: 'vpcRouterRouteList',
  filters: {
    // Omits kinds and targets that no route of this product has.
    kind: routeKinds.filter((kind) => kind !== 'vpc_peering'),
    target: routeTargetTypes.filter((type) => type !== 'vpc'),
  },
}

/** The path parameters of a router's page. */
export type RouterParams = VpcParams & { router: string }

const page =
  '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc/routers-page/routers/$router'

export function useRouterParams(): RouterParams {
  const { project, vpc, router } = useParams({ from: page })
  return { project, vpc, router }
}

export const routerArgs = ({ project, vpc, router }: RouterParams) => ({
  path: { router },
  query: { project, vpc },
})

export const routerQuery = (params: RouterParams) => apiQuery('vpcRouterView', routerArgs(params))

export const allRoutersQuery = ({ project, vpc }: VpcParams) =>
  apiQuery('vpcRouterList', { query: { project, vpc, limit: ALL_ITEMS } })

/** The gateways of a VPC, as targets of routes. */
export const gatewaysQuery = ({ project, vpc }: VpcParams) =>
  apiQuery('internetGatewayList', { query: { project, vpc, limit: ALL_ITEMS } })

/** All routes of a router, by the router's ID. */
export const routesOfQuery = (router: string) =>
  apiQuery('vpcRouterRouteList', { query: { router, limit: ALL_ITEMS } }, { allow404: true })

export const routeArgs = ({ project, vpc, router, route }: RouterParams & { route: string }) => ({
  path: { route },
  query: { project, vpc, router },
})

export const routeQuery = (params: RouterParams & { route: string }) =>
  apiQuery('vpcRouterRouteView', routeArgs(params))
