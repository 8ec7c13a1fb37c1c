/**
 * Explanations of a packet's path. The network model decides, and these sentences give the reasons
 * in the control plane, the console and simulated guests.
 */
import { instanceHasVm, type InstanceState } from '../../compute/instances/rules.ts'
import { ipVersionName, type IpVersion } from '../../rules/ip.ts'

/** Whether the guest of an instance sends and receives packets, by state. */
const online: Record<InstanceState, boolean> = {
  creating: false,
  starting: false,
  running: true,
  stopping: false,
  stopped: false,
  rebooting: false,
  migrating: true,
  repairing: true,
  failed: false,
  destroyed: false,
}

export const instanceIsOnline = (state: InstanceState): boolean =>
  online[state] && instanceHasVm(state)

/** Kinds of steps on a packet's path. */
export const reachabilityStepKinds = [
  'endpoint',
  'machine',
  'source',
  'firewall',
  'route',
  'gateway',
  'outside',
  'delivery',
] as const
export type ReachabilityStepKind = (typeof reachabilityStepKinds)[number]

/** Outcome of a rule that was tried. */
export const ruleOutcomes = {
  decides: 'Decides',
  disabled: 'Disabled',
  target: 'Does not apply to this interface',
  hosts: 'Another host',
  protocol: 'Another protocol',
  ports: 'Another port, or another type of ICMP',
} as const
export type RuleOutcome = keyof typeof ruleOutcomes

/** Outcome of a route that was considered. */
export const routeOutcomes = {
  chosen: 'Taken',
  shorter: 'Another route has a longer prefix',
  system: 'A custom route has the same prefix',
  tie: 'Another route of the same router has the same prefix',
  unresolved: 'Its destination or target does not exist',
} as const
export type RouteOutcome = keyof typeof routeOutcomes

/** Hop limit: more interfaces than this that pass a packet on count as a loop. */
export const NETWORK_HOPS_MAX = 8

/** Maximum number of instances in the view of a network. */
export const NETWORK_INSTANCES_MAX = 2_000

/** Limits of the comparison for a planned network change, and of its result. */
export const NETWORK_CHANGE_LIMITS = {
  /** Instances of the VPC: the changed ones, then the first by name. */
  instances: 2_000,
  /** External networks named in rules. */
  networks: 32,
  /** Pairs of instances that differ in any way. */
  pairs: 300_000,
  changes: 100,
  /** Names at each end of a change. */
  names: 10,
} as const

/** Milliseconds after which long network computations yield to other work. */
export const NETWORK_TURN_MS = 15

/** Problems with a reachability question, checked before the network is read. */
export const questionProblems = {
  noPort: 'port is required for TCP and UDP',
  portOfIcmp: 'port is for TCP and UDP, not for ICMP',
  icmpOfPort: 'icmp_type and icmp_code are for ICMP',
  codeWithoutType: 'icmp_code needs an icmp_type',
  version: (address: string, version: IpVersion) =>
    `${address} is not an ${ipVersionName[version]} address`,
  noNetwork:
    'One end has to be an instance or an address of one. For private addresses, name their VPC.',
  otherInstance: 'The network interface belongs to another instance',
  otherVpc: 'The router belongs to another VPC',
  missing: (parameter: string) => `${parameter} is required for this change`,
} as const

type Direction = 'inbound' | 'outbound'

/** A guest of the network: an instance by name, or a probe. */
export type Guest = string | { name: string; probe?: true }

/** A guest in a sentence: "instance web". */
export const guestName = (one: Guest): string =>
  typeof one === 'string' ? `instance ${one}` : `${one.probe ? 'probe' : 'instance'} ${one.name}`
const capitalized = (one: Guest): string =>
  guestName(one).replace(/^./, (first) => first.toUpperCase())

/** Sentences about one step, ending with a full stop. */
export const networkReasons = {
  endpoint: {
    noInterface: (instance: Guest) => `${capitalized(instance)} has no network interface.`,
    noVersion: (instance: Guest, version: IpVersion) =>
      `${capitalized(instance)} has no ${ipVersionName[version]} address.`,
    noExternal: (instance: Guest, version: IpVersion) =>
      `${capitalized(instance)} has no ${ipVersionName[version]} address that can be reached from outside of its VPC.`,
    nobody: (address: string, vpc: string) =>
      `No interface in VPC ${vpc} has the address ${address}.`,
    noVersionInCommon: 'The two ends have no IP version in common.',
    itself: (instance: Guest) => `${capitalized(instance)} reaches itself without the network.`,
    sends: (instance: Guest, nic: string, address: string) =>
      `${capitalized(instance)} sends from interface ${nic} with the address ${address}.`,
    sendsFromOutside: (address: string) => `The packet comes from ${address}, outside of the VPC.`,
    privateSource: (address: string) =>
      `${address} is not an address of the internet, so nothing comes from there.`,
  },
  machine: {
    down: (instance: Guest, state: InstanceState) => `${capitalized(instance)} is ${state}.`,
  },
  source: {
    own: (address: string) => `${address} is the address of the interface.`,
    transit: (address: string, network: string) =>
      `${address} belongs to the transit IPs of the interface (${network}).`,
    externalSubnet: (address: string, name: string) =>
      `${address} belongs to the external subnet ${name}, which is attached to the instance.`,
    spoofed: (address: string, nic: string) =>
      `Interface ${nic} may not send from ${address}: it is neither its address nor one of its transit IPs.`,
    unwanted: (address: string, nic: string) =>
      `Interface ${nic} may not receive for ${address}: it is neither its address nor one of its transit IPs.`,
  },
  firewall: {
    rule: (action: 'allow' | 'deny', direction: Direction, rule: string) =>
      `The ${direction} rule ${rule} ${action === 'allow' ? 'allows' : 'denies'} it.`,
    byDefault: {
      inbound: 'No rule allows it, and inbound traffic is denied by default.',
      outbound: 'No rule denies it, and outbound traffic is allowed by default.',
    },
    established: 'It belongs to an allowed connection, so no rule is needed.',
  },
  route: {
    none: (address: string) => `No route leads to ${address}.`,
    drop: (route: string) => `Route ${route} drops it.`,
    subnet: (route: string, subnet: string) => `Route ${route} leads to the subnet ${subnet}.`,
    hop: (route: string, instance: Guest, address: string) =>
      `Route ${route} passes it to ${guestName(instance)} (${address}).`,
    gateway: (route: string, gateway: string) =>
      `Route ${route} leads to the internet gateway ${gateway}.`,
    nobody: (route: string, subnet: string, address: string) =>
      `Route ${route} leads to the subnet ${subnet}, but no interface there has the address ${address}.`,
    circle: 'The routes form a loop.',
  },
  gateway: {
    translated: (kind: 'floating' | 'ephemeral' | 'snat', address: string) =>
      `The source address becomes ${address}, the ${kind === 'snat' ? 'SNAT' : kind} IP of the instance.`,
    externalSubnet: (name: string) =>
      `The source address stays as it is: it belongs to the external subnet ${name}.`,
    answers: (address: string) =>
      `The source address becomes ${address} again, which the connection was made to.`,
    secondary: (nic: string) =>
      `External addresses belong to the primary interface, and ${nic} is not it.`,
    noAddress: (instance: Guest, version: IpVersion) =>
      `${capitalized(instance)} has no external ${ipVersionName[version]} address.`,
    foreignAddress: (instance: Guest, gateway: string, version: IpVersion) =>
      `No external ${ipVersionName[version]} address of ${guestName(instance)} is attached to the internet gateway ${gateway}, by itself or by its pool.`,
    empty: (gateway: string) =>
      `Neither a pool nor an address is attached to the internet gateway ${gateway}.`,
  },
  outside: {
    internet: (address: string) => `${address} is on the internet, which is taken to answer.`,
    privateAddress: (address: string) =>
      `${address} is not an address of the internet, so no host there can answer.`,
    unused: (address: string) => `No instance has the external address ${address}.`,
    snat: (address: string) => `${address} is a SNAT address, which takes nothing but answers.`,
    mapped: (external: string, kind: 'floating' | 'ephemeral', instance: Guest, address: string) =>
      `${external} is the ${kind} IP of ${guestName(instance)}; the destination becomes ${address}.`,
    subnet: (address: string, name: string, instance: Guest) =>
      `${address} belongs to the external subnet ${name}, which is attached to ${guestName(instance)}.`,
    noStack: (instance: Guest, version: IpVersion) =>
      `The primary interface of ${guestName(instance)} has no ${ipVersionName[version]} address.`,
    answer: (external: string, address: string) =>
      `The answer arrives at ${external}; the destination becomes ${address} again.`,
    sender: (address: string) => `The answer leaves to ${address}.`,
    /** For a network that the caller may not see. */
    foreignYes: (address: string) => `The host with the address ${address} lets it in.`,
    foreignNo: (address: string) => `Nothing at ${address} answers.`,
  },
  delivery: {
    arrived: (instance: Guest, nic: string) => `It arrives at ${guestName(instance)} (${nic}).`,
    forwards: (instance: Guest) =>
      `${capitalized(instance)} forwards it. Whether its guest really does depends on its settings.`,
    behind: (address: string, instance: Guest) =>
      `${address} is behind ${guestName(instance)}, which takes it to there.`,
    back: 'The answer arrives.',
    otherSource: (address: string, expected: string) =>
      `The answer comes from ${address} instead of ${expected}, so the sender does not know it.`,
  },
} as const

/** Reads about a whole network, stale after a change of any part of it. */
export const networkReads = [
  'reachability_test',
  'reachability_changes',
  'instance_firewall_rules_view',
  'instance_network_view',
  'vpc_network_view',
  'project_network_view',
] as const
