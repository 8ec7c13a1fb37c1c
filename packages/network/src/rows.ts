/**
 * Input of the model: the rows of one or more VPCs in wire spelling. They may include other VPCs,
 * for traffic that leaves one VPC and enters another.
 */
import type { InstanceState } from '@steading/api/rules'

export interface Named {
  id: string
  name: string
}

export interface VpcRow extends Named {
  project_id: string
  ipv6_prefix: string
  dns_name: string
}

export interface SubnetRow extends Named {
  vpc_id: string
  ipv4_block: string
  ipv6_block: string
  custom_router_id: string | null
}

export interface RouterRow extends Named {
  vpc_id: string
  kind: 'system' | 'custom'
}

export type RouteDestination = { type: 'ip' | 'ip_net' | 'vpc' | 'subnet'; value: string }
export type RouteTarget =
  | { type: 'ip' | 'vpc' | 'subnet' | 'instance' | 'internet_gateway'; value: string }
  | { type: 'drop' }

export interface RouteRow extends Named {
  vpc_router_id: string
  kind: 'default' | 'vpc_subnet' | 'vpc_peering' | 'custom'
  destination: RouteDestination
  target: RouteTarget
}

/** Targets and host filters of firewall rules. */
export interface RuleEnd {
  type: 'vpc' | 'subnet' | 'instance' | 'ip' | 'ip_net'
  value: string
}

/** A code is a number or a range, like `3` or `0-5`. */
export type RuleProtocol =
  | { type: 'tcp' | 'udp' }
  | { type: 'icmp' | 'icmp6'; value: { icmp_type: number; code?: string | null } | null }

export type RuleDirection = 'inbound' | 'outbound'

export interface RuleRow extends Named {
  vpc_id: string
  status: 'enabled' | 'disabled'
  direction: RuleDirection
  targets: RuleEnd[]
  /** For each kind of filter, null or an empty list means all traffic. */
  filters: {
    hosts?: RuleEnd[] | null
    protocols?: RuleProtocol[] | null
    ports?: string[] | null
  }
  action: 'allow' | 'deny'
  priority: number
}

export interface GatewayRow extends Named {
  vpc_id: string
  /** Attached pools. */
  ip_pool_ids: string[]
  /** Attached addresses. */
  addresses: string[]
}

export interface InstanceRow extends Named {
  project_id: string
  run_state: InstanceState
  /** Bytes of its largest packet, if that is not the usual one. */
  mtu?: number
  /** A probe: in the network like an instance, but rules and routes cannot name it. */
  probe?: true
}

export interface InterfaceRow extends Named {
  instance_id: string
  vpc_id: string
  subnet_id: string
  primary: boolean
  mac: string
  ipv4: string | null
  ipv6: string | null
  /** Networks of both versions. */
  transit_ips: string[]
}

export interface ExternalIpRow {
  id: string
  kind: 'floating' | 'ephemeral' | 'snat'
  /** Name of a floating IP. */
  name: string | null
  ip: string
  ip_pool_id: string
  instance_id: string | null
  /** Ports of a SNAT address; others have all. */
  first_port: number
  last_port: number
}

export interface ExternalSubnetRow extends Named {
  subnet: string
  instance_id: string | null
}

export interface NetworkRows {
  vpcs: VpcRow[]
  subnets: SubnetRow[]
  routers: RouterRow[]
  routes: RouteRow[]
  firewall_rules: RuleRow[]
  internet_gateways: GatewayRow[]
  instances: InstanceRow[]
  interfaces: InterfaceRow[]
  external_ips: ExternalIpRow[]
  external_subnets: ExternalSubnetRow[]
  /**
   * Networks of the cloud's own pools. Unassigned addresses in them lead nowhere; any other public
   * address is assumed to be on the internet, which answers.
   */
  pool_ranges: { first: string; last: string }[]
}

export const emptyRows = (): NetworkRows => ({
  vpcs: [],
  subnets: [],
  routers: [],
  routes: [],
  firewall_rules: [],
  internet_gateways: [],
  instances: [],
  interfaces: [],
  external_ips: [],
  external_subnets: [],
  pool_ranges: [],
})
