import { ip, IpNet } from '../../network.ts'
import { routeKinds, vpcRouterKinds } from './router-kinds.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  Name,
  named,
  oneOf,
  record,
  tagged,
  uuid,
} from '../../schema.ts'

const VpcRouterKind = named('VpcRouterKind', oneOf(...vpcRouterKinds))

export const VpcRouter = record('VpcRouter', { ...identity, vpc_id: uuid, kind: VpcRouterKind })
export const VpcRouterCreate = record('VpcRouterCreate', identityCreate)
export const VpcRouterUpdate = record('VpcRouterUpdate', identityUpdate)

const RouteDestination = named(
  'RouteDestination',
  tagged('type', {
    ip: { value: ip },
    ip_net: { value: IpNet },
    vpc: { value: Name },
    subnet: { value: Name },
  }),
)
const RouteTarget = named(
  'RouteTarget',
  tagged('type', {
    ip: { value: ip },
    vpc: { value: Name },
    subnet: { value: Name },
    instance: { value: Name },
    internet_gateway: { value: Name },
    drop: {},
  }),
)
const ends = { destination: RouteDestination, target: RouteTarget }

export const RouterRoute = record('RouterRoute', {
  ...identity,
  vpc_router_id: uuid,
  kind: named('RouterRouteKind', oneOf(...routeKinds)),
  ...ends,
})
export const RouterRouteCreate = record('RouterRouteCreate', { ...identityCreate, ...ends })
export const RouterRouteUpdate = record('RouterRouteUpdate', { ...identityUpdate, ...ends })
