import { LIST_MAX } from '../../rules/limits.ts'
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
import { packetAnswers, packetDecisions } from './packet-rules.ts'
import { reachabilityStepKinds, routeOutcomes, ruleOutcomes } from './rules.ts'
import {
  answerMap,
  array,
  boolean,
  integer,
  list,
  named,
  NameOrId,
  oneOf,
  record,
  string,
  Tag,
  tagged,
  uint16,
  uint64,
  uint8,
  uuid,
} from '../../schema.ts'

const NamedResource = record('NamedResource', { id: uuid, name: string })

const ReachabilityEnd = named(
  'ReachabilityEnd',
  tagged('type', {
    instance: {
      instance: NameOrId,
      /** Default: the interface that the guest would use. */
      interface: NameOrId.nullable().optional(),
    },
    address: { address: ip },
    /** An internet address that no rule or route mentions specifically. */
    internet: {},
  }),
)

const port = integer('uint16', 'a port from 1 to 65535', 1, 0xffff)

export const ReachabilityQuestion = record('ReachabilityQuestion', {
  from: ReachabilityEnd,
  to: ReachabilityEnd,
  /** With IPv6, `icmp` means ICMPv6. */
  protocol: named('ReachabilityProtocol', oneOf('tcp', 'udp', 'icmp')),
  /** For TCP and UDP. */
  port: port.nullable().optional(),
  /** For ICMP; default: an echo request. */
  icmp_type: uint8.nullable().optional(),
  icmp_code: uint8.nullable().optional(),
  /** Default: IPv4, if both ends have it. */
  ip_version: IpVersion.nullable().optional(),
})

/** One end of a route as written; a `drop` target has no value. */
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
  vpc: NamedResource.nullable(),
  subnet: NamedResource.nullable(),
  instance: NamedResource.nullable(),
  interface: NamedResource.nullable(),
  /** Direction, for a firewall step. */
  direction: Direction.nullable(),
  /** The matching rule; null if there is none. */
  rule: NamedResource.nullable(),
  router: NamedResource.nullable(),
  route: NamedResource.nullable(),
  internet_gateway: NamedResource.nullable(),
  external_ip: record('ReachabilityExternalIp', {
    id: uuid,
    /** Name of a floating IP. */
    name: string.nullable(),
    ip,
    kind: named('ReachabilityExternalIpKind', oneOf('floating', 'ephemeral', 'snat')),
  }).nullable(),
  external_subnet: NamedResource.nullable(),
  /** The rules in order of evaluation, up to the matching one. */
  rules: list(
    record('TriedRule', {
      id: uuid,
      name: string,
      priority: uint16,
      action: Action,
      outcome: named('RuleOutcome', oneOf(...Object.keys(ruleOutcomes))),
    }),
  ),
  /** Routes to the destination, including routes that are not in effect. */
  routes: list(
    record('TriedRoute', {
      id: uuid,
      name: string,
      router: NamedResource,
      destination: RouteEnd,
      target: RouteEnd,
      outcome: named('RouteOutcome', oneOf(...Object.keys(routeOutcomes))),
    }),
  ),
})

const PacketProtocol = named('PacketProtocol', oneOf('tcp', 'udp', 'icmp', 'icmp6'))

export const Reachability = record('Reachability', {
  /** Whether both the packet and its answer arrive. */
  reachable: boolean,
  reason: string,
  ip_version: IpVersion,
  protocol: PacketProtocol,
  port: uint16.nullable(),
  icmp_type: uint8.nullable(),
  icmp_code: uint8.nullable(),
  /** The packet as sent; null if an end has no address of that version. */
  source: string.nullable(),
  destination: string.nullable(),
  /** The steps of the packet in order, until it arrives or is lost. */
  there: list(ReachabilityStep),
  /** Whether the packet arrives. */
  arrives: boolean,
  /** The steps of the answer; empty if the packet is lost or has no answer. */
  back: list(ReachabilityStep),
})

/** A real packet, and what the model says about it. */
export const SentPacket = record('SentPacket', {
  model: Reachability,
  /**
   * Seen at the interface of its destination; or on its way out of the VPC, if the destination is
   * outside, or the caller may not see it.
   */
  arrived: boolean,
  /** Null without an arrival, and where no answer is waited for. */
  answer: named('PacketAnswer', oneOf(...packetAnswers)).nullable(),
  /** The fate of the packet, in plain English. */
  outcome: string,
  /** The decision about the packet, by the engine's own trace; null if the trace does not tell. */
  verdict: record('PacketVerdict', {
    by: named('PacketDecision', oneOf(...packetDecisions)),
    allowed: boolean,
    /** In plain English. */
    reason: string,
    /** Direction, if rules decided. */
    direction: Direction.nullable(),
    vpc: NamedResource.nullable(),
    rule: NamedResource.nullable(),
    router: NamedResource.nullable(),
    route: NamedResource.nullable(),
  }).nullable(),
  /** Where the packet did something else than the model says; null where they agree. */
  difference: string.nullable(),
})

const within = { id: uuid, name: string, vpc_id: uuid }

/** Data for a network diagram. Names in routes are as written. */
export const NetworkView = record('NetworkView', {
  vpcs: list(
    record('NetworkVpc', {
      id: uuid,
      name: string,
      project_id: uuid,
      ipv6_prefix: string,
      dns_name: string,
      firewall_rules: uint64,
    }),
  ),
  subnets: list(
    record('NetworkSubnet', {
      ...within,
      ipv4_block: string,
      ipv6_block: string,
      custom_router_id: uuid.nullable(),
    }),
  ),
  routers: list(record('NetworkRouter', { ...within, kind: string })),
  routes: list(
    record('NetworkRoute', {
      id: uuid,
      name: string,
      vpc_router_id: uuid,
      kind: string,
      destination: RouteEnd,
      target: RouteEnd,
    }),
  ),
  internet_gateways: list(
    record('NetworkGateway', { ...within, ip_pool_ids: list(uuid), addresses: list(string) }),
  ),
  /** The first instances by name, at most `NETWORK_INSTANCES_MAX`. */
  instances: list(
    record('NetworkInstance', {
      id: uuid,
      name: string,
      project_id: uuid,
      run_state: InstanceState,
    }),
  ),
  /** Tags of the instances above that have any, by their ids. */
  tags: answerMap(list(Tag)),
  /** Interfaces of the instances above; the same goes for the addresses. */
  interfaces: list(
    record('NetworkInterfaceView', {
      ...within,
      instance_id: uuid,
      subnet_id: uuid,
      primary: boolean,
      mac: string,
      ipv4: string.nullable(),
      ipv6: string.nullable(),
      transit_ips: list(string),
    }),
  ),
  external_ips: list(
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
  external_subnets: list(
    record('NetworkExternalSubnet', {
      id: uuid,
      name: string,
      subnet: string,
      instance_id: uuid.nullable(),
    }),
  ),
  /** Number of instances omitted. */
  more_instances: uint64,
})

const EffectiveRule = record('EffectiveFirewallRule', {
  id: uuid,
  name: string,
  priority: uint16,
  action: Action,
  targets: list(Target),
  filters: Filter,
  /** Earlier rules decide about all packets that match it. */
  overruled: boolean,
})

/** The firewall rules in effect for each interface of an instance, in order of evaluation. */
export const EffectiveFirewallRules = record('EffectiveFirewallRules', {
  interfaces: list(
    record('InterfaceFirewallRules', {
      interface: NamedResource,
      subnet: NamedResource,
      vpc: NamedResource,
      inbound: list(EffectiveRule),
      outbound: list(EffectiveRule),
    }),
  ),
})

/**
 * A proposed change, with the query of the call that would make it: the VPC of the rules, the
 * router of a new or deleted route, the instance that gets an interface or an ephemeral IP, the
 * gateway of an attachment, and the parents of named resources.
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
      transit_ips: array(IpNet, LIST_MAX).default([]),
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
  /** The first instances by name. */
  instances: list(NamedResource),
  /** Total number of instances. */
  total: uint64,
  /** `internet`, and external networks named in rules. */
  outside: list(string),
})

const ChangedTraffic = list(
  record('ChangedTraffic', {
    protocol: PacketProtocol,
    ip_versions: list(IpVersion),
    /** Like `22` or `80-443`; ICMP types with codes, like `8` or `3/0-4`. Empty: all. */
    ports: list(string),
  }),
)

/**
 * Traffic that a change would allow and block between the instances of a VPC, and to the outside.
 */
export const NetworkChanges = record('NetworkChanges', {
  changes: list(
    record('ConnectionChange', {
      from: ChangeEnds,
      to: ChangeEnds,
      /** Number of these pairs. */
      pairs: uint64,
      gained: ChangedTraffic,
      lost: ChangedTraffic,
    }),
  ),
  /** Number of changes omitted from the list. */
  more_changes: uint64,
  /** Parts that were not compared. */
  left_out: record('ChangesLeftOut', { instances: uint64, networks: uint64, pairs: uint64 }),
})
