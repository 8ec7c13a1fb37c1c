import {
  Action,
  Direction,
  Filter,
  Target,
  VpcFirewallRuleUpdateParams,
} from '../firewall-rules/schemas.ts'
import { EphemeralIpCreate } from '../external-ips/schemas.ts'
import { ExternalSubnetAttach } from '../external-subnets/schemas.ts'
import { InstanceState } from '../../compute/instances/states.ts'
import { IpVersion } from '../ip-pools/schemas.ts'
import { ip, IpNet } from '../../network.ts'
import { InstanceNetworkInterfaceCreate } from '../network-interfaces/schemas.ts'
import { RouterRouteCreate, RouterRouteUpdate } from '../routers/schemas.ts'
import { reachabilityStepKinds, routeOutcomes, ruleOutcomes } from './rules.ts'
import {
  array,
  boolean,
  integer,
  NameOrId,
  named,
  oneOf,
  record,
  string,
  tagged,
  uint16,
  uint64,
  uint8,
  uuid,
} from '../../schema.ts'

const NamedThing = record('NamedThing', { id: uuid, name: string })

const ReachabilityEnd = named(
  'ReachabilityEnd',
  tagged('type', {
    instance: {
      instance: NameOrId,
      /** By default the one that the guest would use. */
      interface: NameOrId.nullable().optional(),
    },
    address: { address: ip },
    /** An address of the internet that rules and routes say nothing about in particular. */
    internet: {},
  }),
)

const port = integer('uint16', 'a port from 1 to 65535', 1, 0xffff)

export const ReachabilityQuestion = record('ReachabilityQuestion', {
  from: ReachabilityEnd,
  to: ReachabilityEnd,
  /** With IPv6, `icmp` is ICMPv6. */
  protocol: named('ReachabilityProtocol', oneOf('tcp', 'udp', 'icmp')),
  /** For TCP and UDP. */
  port: port.nullable().optional(),
  /** For ICMP; an echo request by default. */
  icmp_type: uint8.nullable().optional(),
  icmp_code: uint8.nullable().optional(),
  /** By default IPv4, if both ends have it. */
  ip_version: IpVersion.nullable().optional(),
})

/** An end of a route as it is written; a target that drops has no value. */
const RouteEnd = record('RouteEnd', { type: string, value: string.nullable() })

const ReachabilityStep = record('ReachabilityStep', {
  kind: named('ReachabilityStepKind', oneOf(...reachabilityStepKinds)),
  passed: boolean,
  /** In plain English. */
  reason: string,
  /** The packet before this step. */
  source: string,
  destination: string,
  /** The packet after this step, if an address has changed. */
  translation: record('ReachabilityTranslation', {
    source: string,
    destination: string,
  }).nullable(),
  vpc: NamedThing.nullable(),
  subnet: NamedThing.nullable(),
  instance: NamedThing.nullable(),
  interface: NamedThing.nullable(),
  /** Of a firewall. */
  direction: Direction.nullable(),
  /** The rule that decides; null if none does. */
  rule: NamedThing.nullable(),
  router: NamedThing.nullable(),
  route: NamedThing.nullable(),
  internet_gateway: NamedThing.nullable(),
  external_ip: record('ReachabilityExternalIp', {
    id: uuid,
    /** Of a floating IP. */
    name: string.nullable(),
    ip,
    kind: named('ReachabilityExternalIpKind', oneOf('floating', 'ephemeral', 'snat')),
  }).nullable(),
  external_subnet: NamedThing.nullable(),
  /** The rules in the order in which they were tried, up to the one that decides. */
  rules: array(
    record('TriedRule', {
      id: uuid,
      name: string,
      priority: uint16,
      action: Action,
      outcome: named('RuleOutcome', oneOf(...Object.keys(ruleOutcomes))),
    }),
  ),
  /** The routes that lead to the destination, and those that are not in effect. */
  routes: array(
    record('TriedRoute', {
      id: uuid,
      name: string,
      router: NamedThing,
      destination: RouteEnd,
      target: RouteEnd,
      outcome: named('RouteOutcome', oneOf(...Object.keys(routeOutcomes))),
    }),
  ),
})

const PacketProtocol = named('PacketProtocol', oneOf('tcp', 'udp', 'icmp', 'icmp6'))

export const Reachability = record('Reachability', {
  /** Whether the packet arrives, and the answer to it, too. */
  reachable: boolean,
  reason: string,
  ip_version: IpVersion,
  protocol: PacketProtocol,
  port: uint16.nullable(),
  icmp_type: uint8.nullable(),
  icmp_code: uint8.nullable(),
  /** The packet as it is sent; null if an end has no such address. */
  source: string.nullable(),
  destination: string.nullable(),
  /** What happens to the packet, in order, up to where it arrives or is lost. */
  there: array(ReachabilityStep),
  /** Whether the packet arrives. */
  arrives: boolean,
  /** What happens to the answer; empty if the packet is lost or has no answer. */
  back: array(ReachabilityStep),
})

const within = { id: uuid, name: string, vpc_id: uuid }

/** What a picture of networks needs. Names in routes are as they were written. */
export const NetworkView = record('NetworkView', {
  vpcs: array(
    record('NetworkVpc', {
      id: uuid,
      name: string,
      project_id: uuid,
      ipv6_prefix: string,
      dns_name: string,
      firewall_rules: uint64,
    }),
  ),
  subnets: array(
    record('NetworkSubnet', {
      ...within,
      ipv4_block: string,
      ipv6_block: string,
      custom_router_id: uuid.nullable(),
    }),
  ),
  routers: array(record('NetworkRouter', { ...within, kind: string })),
  routes: array(
    record('NetworkRoute', {
      id: uuid,
      name: string,
      vpc_router_id: uuid,
      kind: string,
      destination: RouteEnd,
      target: RouteEnd,
    }),
  ),
  internet_gateways: array(
    record('NetworkGateway', { ...within, ip_pool_ids: array(uuid), addresses: array(string) }),
  ),
  /** The first ones by name, at most `NETWORK_INSTANCES_MAX`. */
  instances: array(
    record('NetworkInstance', {
      id: uuid,
      name: string,
      project_id: uuid,
      run_state: InstanceState,
    }),
  ),
  /** Of those instances, as are the addresses. */
  interfaces: array(
    record('NetworkInterfaceView', {
      ...within,
      instance_id: uuid,
      subnet_id: uuid,
      primary: boolean,
      mac: string,
      ipv4: string.nullable(),
      ipv6: string.nullable(),
      transit_ips: array(string),
    }),
  ),
  external_ips: array(
    record('NetworkExternalIp', {
      id: uuid,
      kind: named('NetworkExternalIpKind', oneOf('floating', 'ephemeral', 'snat')),
      name: string.nullable(),
      ip,
      ip_pool_id: uuid,
      instance_id: uuid.nullable(),
      first_port: uint16,
      last_port: uint16,
    }),
  ),
  external_subnets: array(
    record('NetworkExternalSubnet', {
      id: uuid,
      name: string,
      subnet: string,
      instance_id: uuid.nullable(),
    }),
  ),
  /** Instances that are left out. */
  more_instances: uint64,
})

const EffectiveRule = record('EffectiveFirewallRule', {
  id: uuid,
  name: string,
  priority: uint16,
  action: Action,
  targets: array(Target),
  filters: Filter,
  /** Earlier rules decide about everything that it is about. */
  overruled: boolean,
})

/**
 * The rules that apply to an instance, for each of its interfaces, in the order in which they are
 * tried.
 */
export const EffectiveFirewallRules = record('EffectiveFirewallRules', {
  interfaces: array(
    record('InterfaceFirewallRules', {
      interface: NamedThing,
      subnet: NamedThing,
      vpc: NamedThing,
      inbound: array(EffectiveRule),
      outbound: array(EffectiveRule),
    }),
  ),
})

/**
 * A change that has not been made, with the query of the call that would make it: the VPC of the
 * rules, the router of a new route or that is deleted, the instance that gets an interface or an
 * ephemeral IP, the gateway that something is attached to, and the parents of what is named.
 */
export const NetworkChange = named(
  'NetworkChange',
  tagged('type', {
    firewall_rules: { update: VpcFirewallRuleUpdateParams },
    route_create: { create: RouterRouteCreate },
    route_update: { route: NameOrId, update: RouterRouteUpdate },
    route_delete: { route: NameOrId },
    subnet_router: { subnet: NameOrId, custom_router: NameOrId.nullable() },
    network_interface_update: {
      interface: NameOrId,
      primary: boolean.default(false),
      transit_ips: array(IpNet).default([]),
    },
    network_interface_create: { create: InstanceNetworkInterfaceCreate },
    network_interface_delete: { interface: NameOrId },
    router_delete: {},
    ephemeral_ip_attach: { attach: EphemeralIpCreate },
    ephemeral_ip_detach: { ip_version: IpVersion.nullable().default(null) },
    floating_ip_attach: { floating_ip: NameOrId, parent: NameOrId },
    floating_ip_detach: { floating_ip: NameOrId },
    external_subnet_attach: { external_subnet: NameOrId, attach: ExternalSubnetAttach },
    external_subnet_detach: { external_subnet: NameOrId },
    internet_gateway_ip_pool_create: { ip_pool: NameOrId },
    internet_gateway_ip_pool_delete: { pool: NameOrId },
    internet_gateway_ip_address_create: { address: ip },
    internet_gateway_ip_address_delete: { address: NameOrId },
    internet_gateway_delete: {},
  }),
)

const ChangeEnds = record('ConnectionChangeEnds', {
  /** The first ones, by name. */
  instances: array(NamedThing),
  /** How many instances there are. */
  total: uint64,
  /** `internet`, and networks outside that rules name. */
  outside: array(string),
})

const ChangedTraffic = array(
  record('ChangedTraffic', {
    protocol: PacketProtocol,
    ip_versions: array(IpVersion),
    /** Like `22` or `80-443`; types of ICMP with codes, like `8` or `3/0-4`. Empty: all. */
    ports: array(string),
  }),
)

/** What a change would open and close between the instances of a VPC, and towards the outside. */
export const NetworkChanges = record('NetworkChanges', {
  changes: array(
    record('ConnectionChange', {
      from: ChangeEnds,
      to: ChangeEnds,
      /** How many pairs these are. */
      pairs: uint64,
      gained: ChangedTraffic,
      lost: ChangedTraffic,
    }),
  ),
  /** Changes that are left out of the list. */
  more_changes: uint64,
  /** What was not compared. */
  left_out: record('ChangesLeftOut', { instances: uint64, networks: uint64, pairs: uint64 }),
})
