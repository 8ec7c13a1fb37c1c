/** Rules for deleting routers and routes (control plane 8.4). */

export const vpcRouterKinds = ['system', 'custom'] as const
export type VpcRouterKind = (typeof vpcRouterKinds)[number]

export const routeKinds = ['default', 'vpc_subnet', 'vpc_peering', 'custom'] as const
export type RouteKind = (typeof routeKinds)[number]

/** The API's refusal, and the console's explanation beforehand. */
export interface Refusal {
  api: string
  console: string
}

const systemRouterStays: Refusal = {
  api: 'cannot delete system router',
  console: 'System routers cannot be deleted',
}

/** Reason that a router cannot be deleted; undefined if it can. */
export const routerCannotDelete = (kind: VpcRouterKind): Refusal | undefined =>
  kind === 'system' ? systemRouterStays : undefined

const routesStay: Refusal = {
  api: 'DELETE not allowed on system routes',
  console: 'System routes cannot be deleted',
}

/** Reason that a route cannot be deleted; undefined if it can. */
export const routeCannotDelete = (kind: RouteKind): Refusal | undefined =>
  kind === 'custom' ? undefined : routesStay
