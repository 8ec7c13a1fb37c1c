/** Networks of VPCs: whether packets do what the console says. */

/** Sentences about the network of a VPC; `since` is a time in words. */
export const vpcNetworkSentences = {
  simulated: 'Simulated: packets follow all changes at once.',
  inEffect: 'In effect on all hosts.',
  behind: 'The latest changes are not in effect yet.',
  silentHosts:
    'The latest changes are in effect on all hosts that answer. A host that does not goes on with the rules that it had.',
  behindSilent: 'The latest changes are not in effect yet: a host does not answer.',
  notCarried:
    'Not carried: instances do not reach each other by their private addresses, because their host uses the user-mode networking of QEMU. With OVN they do.',
}

/** The refusal while the network does not say what it has seen. */
export const networkSilent = 'The network does not answer now. Try again later'

/** Parts of OVN without which no host learns of changes. */
export const silentCenters = ['databases', 'northd'] as const
export type SilentCenter = (typeof silentCenters)[number]

/** States of a daemon; one that is silent runs, and does not answer. */
export const networkDaemonStates = ['running', 'silent', 'ended'] as const
export type NetworkDaemonState = (typeof networkDaemonStates)[number]

/** Sentences about faults of OVN, without a full stop. Packets pass by the rules of before. */
export const networkFaults = {
  center: {
    databases: 'Changes of networks have no effect: the databases of OVN do not answer',
    northd: 'Changes of networks have no effect: ovn-northd does not answer',
  } satisfies Record<SilentCenter, string>,
  host: (host: string) =>
    `Changes of networks have no effect on host ${host}: its ovn-controller or Open vSwitch does not answer`,
  daemon: {
    silent: (name: string) => `${name} runs, and does not answer`,
    ended: (name: string) => `${name} does not run`,
  },
}

/** Denied packets of a VPC that are logged at once, and then each second. */
export const DENIED_AT_ONCE = 30
export const DENIED_EACH_SECOND = 1

/** Milliseconds after which a part of the network that has not followed a change does not answer. */
export const NETWORK_SILENT_MS = 20_000
