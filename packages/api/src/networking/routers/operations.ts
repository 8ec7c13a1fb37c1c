import { Deletion } from '../../workspace/deletion/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { routeKinds, vpcRouterKinds } from './router-kinds.ts'
import { routeTargetTypes } from './rules.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  RouterRoute,
  RouterRouteCreate,
  RouterRouteResultsPage,
  RouterRouteUpdate,
  VpcRouter,
  VpcRouterCreate,
  VpcRouterResultsPage,
  VpcRouterUpdate,
} from './schemas.ts'

const tags = ['vpcs']
const inVpc = { project: NameOrId.optional(), vpc: NameOrId.optional() }
const inRouter = { ...inVpc, router: NameOrId.optional() }

const vpc_router_list = {
  method: 'GET',
  path: '/v1/vpc-routers',
  tags,
  summary: 'List the routers of a VPC',
  permission: { vpc: 'list' },
  ...paged('name_or_id', inVpc, ['vpc']),
  success: { status: 200, schema: VpcRouterResultsPage },
} as const satisfies Operation

const vpc_router_route_list = {
  method: 'GET',
  path: '/v1/vpc-router-routes',
  tags,
  summary: 'List the routes of a router',
  permission: { vpc_router: 'list' },
  ...paged('name_or_id', inRouter, ['router']),
  success: { status: 200, schema: RouterRouteResultsPage },
} as const satisfies Operation

export const routerOperations = {
  vpc_router_list,
  vpc_router_search: searched({
    kind: 'VpcRouter',
    item: VpcRouter,
    plain: vpc_router_list,
    columns: ['name', 'natural_name', 'description', 'kind', 'time_created'],
    filters: { kind: vpcRouterKinds },
    selectors: inVpc,
  }),
  vpc_router_create: {
    method: 'POST',
    path: '/v1/vpc-routers',
    tags,
    summary: 'Create a custom router',
    permission: { vpc: 'create' },
    query: { project: NameOrId.optional(), vpc: NameOrId },
    body: VpcRouterCreate,
    success: { status: 201, schema: VpcRouter },
  },
  vpc_router_view: {
    method: 'GET',
    path: '/v1/vpc-routers/{router}',
    tags,
    summary: 'Show a router',
    permission: { vpc_router: 'read' },
    params: { router: NameOrId },
    query: inVpc,
    success: { status: 200, schema: VpcRouter },
  },
  vpc_router_update: {
    method: 'PUT',
    path: '/v1/vpc-routers/{router}',
    tags,
    summary: 'Rename or describe a router',
    permission: { vpc_router: 'modify' },
    params: { router: NameOrId },
    query: inVpc,
    body: VpcRouterUpdate,
    success: { status: 200, schema: VpcRouter },
  },
  vpc_router_delete: {
    method: 'DELETE',
    path: '/v1/vpc-routers/{router}',
    tags,
    summary: 'Delete a custom router with its routes, and detach it from subnets',
    permission: { vpc_router: 'modify' },
    params: { router: NameOrId },
    query: inVpc,
    success: { status: 204 },
  },
  vpc_router_deletion: {
    method: 'GET',
    path: '/x/v1/vpc-routers/{router}/deletion',
    tags: ['extensions'],
    summary: 'Preview the deletion of a router',
    permission: { vpc_router: 'read' },
    params: { router: NameOrId },
    query: inVpc,
    success: { status: 200, schema: Deletion },
  },
  vpc_router_route_list,
  vpc_router_route_search: searched({
    kind: 'RouterRoute',
    item: RouterRoute,
    plain: vpc_router_route_list,
    columns: [
      'name',
      'natural_name',
      'description',
      'kind',
      'destination',
      'target',
      'time_created',
    ],
    filters: { kind: routeKinds, target: routeTargetTypes },
    selectors: inRouter,
  }),
  vpc_router_route_create: {
    method: 'POST',
    path: '/v1/vpc-router-routes',
    tags,
    summary: 'Add a route to a custom router',
    permission: { vpc_router: 'create' },
    query: { ...inVpc, router: NameOrId },
    body: RouterRouteCreate,
    versioned: 'routes',
    success: { status: 201, schema: RouterRoute },
  },
  vpc_router_route_view: {
    method: 'GET',
    path: '/v1/vpc-router-routes/{route}',
    tags,
    summary: 'Show a route',
    permission: { router_route: 'read' },
    params: { route: NameOrId },
    query: inRouter,
    success: { status: 200, schema: RouterRoute },
  },
  vpc_router_route_update: {
    method: 'PUT',
    path: '/v1/vpc-router-routes/{route}',
    tags,
    summary: 'Change a route',
    permission: { router_route: 'modify' },
    params: { route: NameOrId },
    query: inRouter,
    body: RouterRouteUpdate,
    versioned: 'routes',
    success: { status: 200, schema: RouterRoute },
  },
  vpc_router_route_delete: {
    method: 'DELETE',
    path: '/v1/vpc-router-routes/{route}',
    tags,
    summary: 'Delete a route of a custom router',
    permission: { router_route: 'modify' },
    params: { route: NameOrId },
    query: inRouter,
    versioned: 'routes',
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
