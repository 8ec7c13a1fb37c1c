/** Rules of VPC routers and their routes (control plane 8.4). */
import type { Refusal, RouteKind, VpcRouterKind } from './router-kinds.ts'

export const routeDestinationTypes = ['ip', 'ip_net', 'vpc', 'subnet'] as const
export type RouteDestinationType = (typeof routeDestinationTypes)[number]

export const routeTargetTypes = [
  'ip',
  'vpc',
  'subnet',
  'instance',
  'internet_gateway',
  'drop',
] as const
export type RouteTargetType = (typeof routeTargetTypes)[number]

/** One end of a route; `drop` is the only one without a value. */
export interface RouteEnd {
  type: string
  value?: string
}

const routesAreGiven: Refusal = {
  api: 'user-provided routes cannot be added to a system router',
  console: 'User-provided routes cannot be added to a system router',
}

/** Reason that a router takes no new routes; undefined if it does. */
export const routerCannotTakeRoutes = (kind: VpcRouterKind): Refusal | undefined =>
  kind === 'system' ? routesAreGiven : undefined

const fixed = (name: string, words: string): Refusal => ({
  api: `routes of type ${name} within the system router are not modifiable`,
  console: `Routes of type ${words} within the system router are not modifiable`,
})

const routeChanges = {
  default: undefined,
  custom: undefined,
  vpc_subnet: fixed('VpcSubnet', 'VPC Subnet'),
  vpc_peering: fixed('VpcPeering', 'VPC Peering'),
} satisfies Record<RouteKind, Refusal | undefined>

/** Reason that no part of a route can be changed; undefined if some part can. */
export const routeCannotChange = (kind: RouteKind): Refusal | undefined => routeChanges[kind]

/** Only the target of a default route can be changed. */
export const DEFAULT_ROUTE_FIXED =
  'the destination and metadata of a Default route cannot be changed'

export const sameEnd = (a: RouteEnd, b: RouteEnd): boolean =>
  a.type === b.type && a.value === b.value
