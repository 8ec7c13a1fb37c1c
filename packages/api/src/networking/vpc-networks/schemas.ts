import { ip } from '../../network.ts'
import {
  boolean,
  dateTime,
  list,
  Name,
  named,
  oneOf,
  record,
  string,
  uint,
  uint16,
  uint32,
  uint64,
  uint8,
  uuid,
} from '../../schema.ts'
import { networkDaemonStates, silentCenters } from './rules.ts'
import { Direction } from '../firewall-rules/schemas.ts'

export const VpcNetworkStatus = record('VpcNetworkStatus', {
  /** Packets pass between the instances of the VPC, as far as its rules and routes permit. */
  carried: boolean,
  /** Rises with each change that is in effect; null if none has been, and with an engine that
   * follows all changes at once.
   */
  version: uint32.nullable(),
  time_applied: dateTime.nullable(),
  /** The present rules, routes and addresses are not in effect yet on all hosts that answer. */
  behind: boolean,
  /** Number of hosts that carry networks; 0 with an engine that follows all changes at once. */
  hosts: uint,
  /** Number of hosts that do not answer; they get the changes as soon as they answer again. */
  silent_hosts: uint,
})

const use = {
  /** Answers within an allowed connection are not counted. */
  packets: uint64,
  /** Packets before this time are not counted: a rule, a server or a host is no older. */
  time_since: dateTime,
  /** Time of the last packet; null if there was none. */
  time_last: dateTime.nullable(),
}
const FirewallUse = record('FirewallUse', use)
const FirewallRuleUse = record('FirewallRuleUse', { name: Name, ...use })

export const VpcFirewallUse = record('VpcFirewallUse', {
  /** The engine counts packets. */
  measured: boolean,
  /** Rules that are in effect; one that is disabled or has no targets decides about nothing. */
  rules: list(FirewallRuleUse),
  /** Inbound packets that no rule allows. */
  denied_by_default: FirewallUse.nullable(),
  /** Outbound packets that no rule denies. */
  allowed_by_default: FirewallUse.nullable(),
})

/** Like packets that were denied, one or more. */
const DeniedPacket = record('DeniedPacket', {
  time_first: dateTime,
  time_last: dateTime,
  /** Number of recorded packets; of many in a short time, only some are recorded. */
  packets: uint,
  direction: Direction,
  protocol: named('DeniedPacketProtocol', oneOf('tcp', 'udp', 'icmp', 'icmp6', 'other')),
  source: ip,
  destination: ip,
  /** The destination's port of TCP and UDP. */
  port: uint16.nullable(),
  icmp_type: uint8.nullable(),
  /** Id of the interface of the instance. */
  interface_id: uuid,
  /** The rule that denied them. Null without one, and for a rule that is gone. */
  rule: Name.nullable(),
  /** No rule allows them. */
  by_default: boolean,
})

export const DeniedPackets = record('DeniedPackets', {
  /** The engine records denied packets. */
  recorded: boolean,
  /** The latest first. */
  packets: list(DeniedPacket),
})

const NetworkDaemon = record('NetworkDaemon', {
  name: string,
  state: named('NetworkDaemonState', oneOf(...networkDaemonStates)),
  /** Time of its start. */
  time_started: dateTime.nullable(),
  version: string.nullable(),
})

/** The software of the host of the server that answers. */
const NetworkHostState = record('NetworkHostState', {
  daemons: list(NetworkDaemon),
  /** Rules of its switch, into which networks are translated. */
  flows: uint.nullable(),
})

/** A host that carries packets. */
const NetworkHost = record('NetworkHost', {
  name: string,
  /** When it has last said that it follows all changes. */
  time_answered: dateTime.nullable(),
  /** Since when it does not follow changes; null while it does. */
  time_silent: dateTime.nullable(),
  /** Tunnels to other hosts. */
  tunnels: uint,
})

/** The state of what carries the networks of VPCs. */
export const SystemNetworks = record('SystemNetworks', {
  version: string.nullable(),
  /** The part of the network that tells hosts of changes, if that part does not answer. */
  silent: named('SilentNetworkPart', oneOf(...silentCenters)).nullable(),
  time_silent: dateTime.nullable(),
  /** Empty while they are not known. */
  hosts: list(NetworkHost),
  /** Null if it cannot be read now. */
  host_state: NetworkHostState.nullable(),
})
