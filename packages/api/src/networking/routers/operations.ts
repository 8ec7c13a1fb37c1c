import { routeKinds, vpcRouterKinds } from './router-kinds.ts'
import { routeTargetTypes } from './rules.ts'
import {
  RouterRoute,
  RouterRouteCreate,
  RouterRouteUpdate,
  VpcRouter,
  VpcRouterCreate,
  VpcRouterUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const routerOperations = {
  ...usual('vpc_router', { item: VpcRouter, path: '/v1/vpc-routers/{router}', tag: 'vpcs' })({
    vpc_router_list: {},
    vpc_router_search: { columns: ['kind'], filters: { kind: vpcRouterKinds } },
    vpc_router_create: { summary: 'Create a custom router', body: VpcRouterCreate },
    vpc_router_view: {},
    vpc_router_update: { body: VpcRouterUpdate },
    vpc_router_delete: {
      summary: 'Delete a custom router with its routes, and detach it from subnets',
    },
    vpc_router_deletion: {},
  }),
  ...usual('router_route', {
    item: RouterRoute,
    id: 'vpc_router_route',
    path: '/v1/vpc-router-routes/{route}',
    tag: 'vpcs',
    selectors: ['project', 'vpc', 'router'],
  })({
    vpc_router_route_list: {},
    vpc_router_route_search: {
      columns: ['kind', 'destination', 'target'],
      filters: { kind: routeKinds, target: routeTargetTypes },
    },
    vpc_router_route_create: {
      summary: 'Add a route to a custom router',
      body: RouterRouteCreate,
      versioned: 'routes',
    },
    vpc_router_route_view: {},
    vpc_router_route_update: {
      summary: 'Change a route',
      body: RouterRouteUpdate,
      versioned: 'routes',
    },
    vpc_router_route_delete: { summary: 'Delete a route of a custom router', versioned: 'routes' },
  }),
}
