/** Rules about VPC routers and their routes (control plane 8.4). */
import { type IpVersion, ipVersion } from './ip.ts'

export const vpcRouterKinds = ['system', 'custom'] as const
export type VpcRouterKind = (typeof vpcRouterKinds)[number]

export const routeKinds = ['default', 'vpc_subnet', 'vpc_peering', 'custom'] as const
export type RouteKind = (typeof routeKinds)[number]

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

/** One end of a route; only `drop` has no value. */
export interface RouteEnd {
  type: string
  value?: string
}

/** What the API says, and what the console says beforehand. */
interface Refusal {
  api: string
  console: string
}

const systemRouterStays: Refusal = {
  api: 'cannot delete system router',
  console: 'System routers cannot be deleted',
}

/** Why a router cannot be deleted; undefined if it can. */
export const routerCannotDelete = (kind: VpcRouterKind): Refusal | undefined =>
  kind === 'system' ? systemRouterStays : undefined

const routesAreGiven: Refusal = {
  api: 'user-provided routes cannot be added to a system router',
  console: 'User-provided routes cannot be added to a system router',
}

/** Why a router takes no new routes; undefined if it does. */
export const routerCannotTakeRoutes = (kind: VpcRouterKind): Refusal | undefined =>
  kind === 'system' ? routesAreGiven : undefined

const routesStay: Refusal = {
  api: 'DELETE not allowed on system routes',
  console: 'System routes cannot be deleted',
}

/** Why a route cannot be deleted; undefined if it can. */
export const routeCannotDelete = (kind: RouteKind): Refusal | undefined =>
  kind === 'custom' ? undefined : routesStay

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

/** Why nothing of a route can be changed; undefined if something can. */
export const routeCannotChange = (kind: RouteKind): Refusal | undefined => routeChanges[kind]

/** Of a default route, only where it leads can be changed. */
export const DEFAULT_ROUTE_FIXED =
  'the destination and metadata of a Default route cannot be changed'

/** The version of an end that is an address or a network. */
const versionOf = ({ type, value = '' }: RouteEnd): IpVersion | undefined =>
  type === 'ip' || type === 'ip_net' ? ipVersion(value.split('/')[0]!) : undefined

/** Why a route cannot lead from its destination to its target; undefined if it can. */
export function routeProblem(
  kind: 'default' | 'custom',
  destination: RouteEnd,
  target: RouteEnd,
): string | undefined {
  const from = versionOf(destination)
  const to = versionOf(target)
  if (from && to && from !== to) {
    return 'cannot mix explicit IPv4 and IPv6 addresses between destination and target'
  }
  const name = kind === 'default' ? 'Default' : 'Custom'
  if (destination.type === 'vpc' || target.type === 'vpc') {
    return `users cannot specify VPCs as a destination or target in ${name} routes`
  }
  if (target.type === 'subnet') return `subnets cannot be used as a target in ${name} routers`
  return undefined
}

export const sameEnd = (a: RouteEnd, b: RouteEnd): boolean =>
  a.type === b.type && a.value === b.value
