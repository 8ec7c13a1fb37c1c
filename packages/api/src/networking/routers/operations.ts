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
    list: {},
    search: { columns: ['kind'], filters: { kind: vpcRouterKinds } },
    create: { summary: 'Create a custom router', body: VpcRouterCreate },
    view: {},
    update: { body: VpcRouterUpdate },
    delete: { summary: 'Delete a custom router with its routes, and detach it from subnets' },
    deletion: {},
  }),
  ...usual('router_route', {
    item: RouterRoute,
    id: 'vpc_router_route',
    path: '/v1/vpc-router-routes/{route}',
    tag: 'vpcs',
    selectors: ['project', 'vpc', 'router'],
  })({
    list: {},
    search: {
      columns: ['kind', 'destination', 'target'],
      filters: { kind: routeKinds, target: routeTargetTypes },
    },
    create: {
      summary: 'Add a route to a custom router',
      body: RouterRouteCreate,
      versioned: 'routes',
    },
    view: {},
    update: { summary: 'Change a route', body: RouterRouteUpdate, versioned: 'routes' },
    delete: { summary: 'Delete a route of a custom router', versioned: 'routes' },
  }),
}
