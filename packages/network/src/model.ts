/**
 * The compiled network: rows with resolved references, and the rules and routes of each interface.
 */
import type { Address, IpVersion } from '@steading/api/rules'
import type { Range, Ranges } from './ranges.ts'
import type {
  ExternalIpRow,
  ExternalSubnetRow,
  GatewayRow,
  InstanceRow,
  InterfaceRow,
  NetworkRows,
  RouteRow,
  RouterRow,
  RuleRow,
  SubnetRow,
  VpcRow,
} from './rows.ts'
import type { Selection } from './selection.ts'

/** Other ends that a rule matches. */
export interface Hosts {
  /** Traffic within the VPC. */
  inside: boolean
  ranges: Ranges
}

export interface Rule {
  row: RuleRow
  /** Null for all hosts. */
  hosts: Hosts | null
  selection: Selection
  /** Ids of its target interfaces. */
  targets: ReadonlySet<string>
}

export type NextHop =
  | { type: 'drop' }
  | { type: 'subnet'; subnet: SubnetRow }
  | { type: 'interface'; at: Interface }
  | { type: 'gateway'; gateway: Gateway }

export interface Route {
  row: RouteRow
  router: RouterRow
  /** For one IP version; a route to a subnet becomes two routes. */
  destination: Range
  width: number
  next: NextHop
}

/** A route that is not in effect, because its destination or target does not exist. */
export interface DeadRoute {
  row: RouteRow
  router: RouterRow
}

/** Routes shared by subnets with the same routers. */
export interface RouteTable {
  /** The first route that contains an address is used. */
  routes: readonly Route[]
  dead: readonly DeadRoute[]
}

export interface Gateway {
  row: GatewayRow
  poolIds: ReadonlySet<string>
  addresses: readonly Address[]
}

export interface ExternalIp {
  row: ExternalIpRow
  address: Address
}

/** Addresses behind an interface, or in addition to its own. */
export interface Extra {
  range: Range
  /** Original text. */
  text: string
}

export interface ExternalSubnet {
  row: ExternalSubnetRow
  range: Range
}

export interface Instance {
  row: InstanceRow
  /** Primary interface first. */
  interfaces: Interface[]
  /** In order of preference at gateways: floating, ephemeral, SNAT, and by address. */
  externalIps: ExternalIp[]
  externalSubnets: ExternalSubnet[]
}

export interface Interface {
  row: InterfaceRow
  instance: Instance
  vpc: Vpc
  subnet: SubnetRow
  addresses: Partial<Record<IpVersion, Address>>
  transit: readonly Extra[]
  routes: RouteTable
  /** Rules in order of evaluation. */
  inbound: readonly Rule[]
  outbound: readonly Rule[]
}

export interface Vpc {
  row: VpcRow
  /** All rules in order of evaluation. */
  rules: readonly Rule[]
  subnets: readonly { row: SubnetRow; ranges: readonly Range[]; routes: RouteTable }[]
  gateways: readonly Gateway[]
  interfaces: Interface[]
  /** By the number of its IP version and address. */
  byAddress: ReadonlyMap<string, Interface>
}

export interface Network {
  rows: NetworkRows
  vpcs: ReadonlyMap<string, Vpc>
  instances: ReadonlyMap<string, Instance>
  interfaces: ReadonlyMap<string, Interface>
  externalIps: ReadonlyMap<string, readonly ExternalIp[]>
  externalSubnets: readonly ExternalSubnet[]
  poolRanges: readonly Range[]
}

export const addressKey = ({ version, value }: Address): string => `${version} ${value}`
