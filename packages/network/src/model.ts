/** The compiled network: rows with their references resolved, and what applies to each interface. */
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

/** The other ends that a rule is about. */
export interface Hosts {
  /** Traffic that stays inside the VPC. */
  inside: boolean
  ranges: Ranges
}

export interface Rule {
  row: RuleRow
  /** Null: all hosts. */
  hosts: Hosts | null
  selection: Selection
  /** Ids of the interfaces that it applies to. */
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
  /** For one version; a route to a subnet is two of these. */
  destination: Range
  width: number
  next: NextHop
}

/** A route that is not in effect, because something that it names does not exist. */
export interface DeadRoute {
  row: RouteRow
  router: RouterRow
}

/** What the subnets with the same routers have in common. */
export interface RouteTable {
  /** The first one that contains an address is taken. */
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

/** Addresses behind an interface, or beside its own. */
export interface Extra {
  range: Range
  /** As it was given. */
  text: string
}

export interface ExternalSubnet {
  row: ExternalSubnetRow
  range: Range
}

export interface Instance {
  row: InstanceRow
  /** The primary one comes first. */
  interfaces: Interface[]
  /** In the order in which gateways choose: floating, ephemeral, SNAT, and by address. */
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
  /** The rules that apply to it, in the order in which they are tried. */
  inbound: readonly Rule[]
  outbound: readonly Rule[]
}

export interface Vpc {
  row: VpcRow
  /** All rules, in the order in which they are tried. */
  rules: readonly Rule[]
  subnets: readonly { row: SubnetRow; ranges: readonly Range[] }[]
  gateways: readonly Gateway[]
  interfaces: Interface[]
  /** By the number of their version and address. */
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
