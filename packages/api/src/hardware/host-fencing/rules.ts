/**
 * Fencing: proving that a host which does not answer is off, before its instances run elsewhere. A
 * host that is merely silent may run on, and its guests with it.
 */
import { hostAddressProblem } from '../hosts/rules.ts'
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

/**
 * - `ipmi`: the management controller of the host, by IPMI 2.0 over the network
 * - `redfish`: the management controller, by Redfish over HTTPS
 * - `hypervisor`: for trials. The host is itself a virtual machine of another libvirt, which ends it
 * - `leases`: no power switch. Each guest runs under a lease of sanlock, which its host renews; when
 * another host takes that lease, the guest has ended
 *
 * Halting a host over its own SSH is none: it says nothing of a host that cannot be reached.
 */
export const fencingMethods = ['none', 'ipmi', 'redfish', 'hypervisor', 'leases'] as const
export type FencingMethod = (typeof fencingMethods)[number]
/** A method that proves something. */
export type ProvingMethod = Exclude<FencingMethod, 'none'>
export type PowerSwitchMethod = Exclude<ProvingMethod, 'leases'>
export const provingMethods = fencingMethods.filter(
  (method): method is ProvingMethod => method !== 'none',
)
/** Whether a method signs in to a management controller, with a user and a password. */
export const isController = (method: FencingMethod): boolean =>
  method === 'ipmi' || method === 'redfish'
export const isPowerSwitch = (method: FencingMethod): method is PowerSwitchMethod =>
  method !== 'none' && method !== 'leases'

export const fencingMethodNames: Record<FencingMethod, string> = {
  none: 'None',
  ipmi: 'IPMI',
  redfish: 'Redfish',
  hypervisor: 'Hypervisor',
  leases: 'Disk leases',
}

/** The proof that a method gives, and its needs; sentences without a full stop. */
export const fencingMethodMeanings: Record<ProvingMethod, string> = {
  ipmi: 'Proves that the power of the host is off, as its management controller reports it. Needs the package ipmitool on the server',
  redfish:
    'Proves that the power of the host is off, as its management controller reports it. Needs the package fence-agents on the server',
  hypervisor:
    'For trials: the host is a virtual machine, and its hypervisor proves that it is off. Needs the package libvirt-clients on the server',
  leases:
    'Proves that the guests of the host have ended, because another host has taken their leases. Takes about three minutes, and switches nothing off. Needs sanlock and a watchdog on the hosts, and the package sanlock on the server',
}

/**
 * - `idle`: nothing is known against the host
 * - `suspect`: it does not answer; whether it is dead is not known
 * - `fencing`: it is to be switched off, or its leases are to run out
 * - `fenced`: its power was off, or the leases of its guests were taken. Instances run there again
 * only when it answers, and nothing of before runs on it
 */
export const fencingStates = ['idle', 'suspect', 'fencing', 'fenced'] as const
export type FencingState = (typeof fencingStates)[number]

export const powerStates = ['on', 'off'] as const
export type PowerState = (typeof powerStates)[number]

/** Calls to a silent host that must have failed before it is switched off. */
export const FENCING_CALLS = 2
/** Milliseconds between them, and the first pause after a failed attempt to switch it off. */
export const FENCING_PACE_MS = 5_000
/** The pause doubles up to this. Milliseconds. */
export const FENCING_RETRY_MAX_MS = 300_000
/** Interval at which methods are checked by themselves. Milliseconds. */
export const FENCING_CHECK_MS = 60 * 60_000
/** Events of a host that are shown; older ones are kept for a while. */
export const HOST_EVENTS_SHOWN = 200
export const HOST_EVENTS_KEPT_MS = 90 * 24 * 60 * 60_000

/**
 * Seconds that sanlock gives a host which does not renew its lease: eight times its I/O timeout, after
 * which the host ends its guests, and then the time of its watchdog, which resets the host otherwise.
 * Source: `calc_host_dead_seconds` of sanlock.
 */
export const leaseSeconds = (ioTimeout: number): number => 8 * ioTimeout + 60
/** sanlock's own default. Seconds. */
export const LEASE_IO_TIMEOUT = 10

/** How long instances show what happened to their host. Milliseconds. */
export const HOST_STORY_SHOWN_MS = 24 * 60 * 60_000

export const FENCING_PASSWORD_MAX = 256
export const FENCING_USER_MAX = 64
export const FENCING_SYSTEM_MAX = 200
export const FENCING_ADDRESS_MAX = 500

/**
 * Why no host is switched off by itself while many are silent: more likely it is the server that is
 * cut off. Sequences of single failures are fenced one after the other.
 * @param silent hosts in service that do not answer, without those already fenced
 * @param count all hosts in service without those
 */
export const isMassFailure = (silent: number, count: number): boolean => silent * 2 > count

export const fencingHolds = {
  noMethod: 'it has no fencing method',
  notAutomatic: 'automatic fencing is switched off for it',
  maintenance: 'its sled is in maintenance',
  mass: (silent: number, count: number) =>
    `${silent} of ${count} hosts do not answer, so the server may be the one that is cut off`,
} as const

/**
 * Why the leases of a silent host prove nothing yet.
 * - `running_out`: they are not renewed any more, but have not run out
 * - `renewed`: they are renewed, so the host runs on
 * - `unleased`: guests run there that were started without a lease
 * - `moving`: guests were on their way to another host, where they may be
 */
export const leaseHolds = ['running_out', 'renewed', 'unleased', 'moving'] as const
export type LeaseHold = (typeof leaseHolds)[number]

/** The same as parts of sentences. */
export const leaseHoldMeanings: Record<LeaseHold, string> = {
  running_out: 'the leases of its guests have not run out yet',
  renewed: 'it renews the leases of its guests, so it runs on, out of reach of the server',
  unleased: 'some of its guests were started without a lease',
  moving: 'some of its guests were moving when it fell silent, and may run on another host',
}
/** The advice about each, null if the operator only waits; a sentence without a full stop. */
export const leaseHoldRemedies: Record<LeaseHold, string | null> = {
  running_out: null,
  renewed: 'Repair its network, or switch it off to start its instances elsewhere',
  unleased: 'Make sure that the host is off, and expunge its sled',
  moving:
    'Wait until the other host answers, or make sure that this one is off, and expunge its sled',
}

const SET_UP = 'Set up its leases as the documentation describes'
/** Why the leases of a host do not work, each with an advice; without a full stop. */
export const leaseFaults = {
  silent: { reason: 'it does not answer', remedy: 'Check it again once it does' },
  noTool: {
    reason: 'sanlock is not installed on the server',
    remedy: 'Install the package sanlock on all servers',
  },
  noLockspace: {
    reason: 'the shared directory has no lockspace',
    remedy: 'Make it by sanlock direct init, as the documentation describes',
  },
  noWitness: {
    reason: 'no other host takes leases',
    remedy: 'Set up the leases of at least one other host',
  },
  notEnforced: {
    reason: 'it started a guest whose lease another host has',
    remedy: 'Set lock_manager to sanlock in its qemu.conf, and restart libvirtd',
  },
  notTaken: { reason: 'it started a guest without taking the lease of the guest', remedy: SET_UP },
  notJoined: {
    reason: 'it has not joined the lockspace',
    remedy: 'Start sanlock there, and join the lockspace by sanlock client add_lockspace',
  },
  refused: (reason: string) => ({
    reason: `a trial guest did not start: ${reason}`,
    remedy: SET_UP,
  }),
  unreadable: (reason: string) => ({
    reason: `the leases cannot be read: ${reason}`,
    remedy: 'Let the server read and write the folder leases in the shared directory',
  }),
} as const

/** A power switch as an operator sets it; absent fields are null. */
export interface PowerSwitchSettings {
  method: PowerSwitchMethod
  address: string
  port: number | null
  user: string | null
  system: string | null
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
const IPV6 = /^(?=.*:.*:)[0-9a-fA-F:]+(?:[0-9.]+)?$/
const DOMAIN = /^[A-Za-z0-9][\w.+-]*$/
const SYSTEM_PATH = /^\/[\w./-]+$/
// oxlint-disable-next-line no-control-regex -- clients read settings line by line
const CONTROL = /[\u0000-\u001F\u007F]/

/** The field of a power switch that is not possible, and why; undefined if all are. */
export function powerSwitchProblem({
  method,
  address,
  port,
  user,
  system,
}: PowerSwitchSettings): { field: string; problem: string } | undefined {
  const wrong = (field: string, problem: string) => ({ field, problem })
  if (address.length > FENCING_ADDRESS_MAX) {
    return wrong('address', `It has more than ${FENCING_ADDRESS_MAX} characters`)
  }
  if (method === 'hypervisor') {
    const problem = hostAddressProblem(address)
    if (problem !== undefined) return wrong('address', problem)
    if (port !== null) return wrong('port', 'The port is part of the address')
    if (system === null || !DOMAIN.test(system)) {
      return wrong('system', 'It has to be the name of the host’s domain at the hypervisor')
    }
    return user === null ? undefined : wrong('user', 'The user is part of the address')
  }
  if (!HOST.test(address) && !IPV6.test(address)) {
    return wrong('address', 'It has to be a host name or an IP address')
  }
  if (port !== null && (port < 1 || port > 65_535)) return wrong('port', 'No such port is possible')
  if (user === null || user === '') return wrong('user', 'The management controller needs a user')
  if (CONTROL.test(user)) return wrong('user', 'It has a control character')
  if (system === null) return undefined
  if (method === 'ipmi') return wrong('system', 'IPMI has no systems')
  return SYSTEM_PATH.test(system)
    ? undefined
    : wrong('system', 'It has to be a path, such as /redfish/v1/Systems/1')
}

/** The same for leases, which have no settings. */
export function leasesProblem(
  settings: Record<'address' | 'port' | 'user' | 'system', unknown>,
): { field: string; problem: string } | undefined {
  const field = Object.entries(settings).find(([, value]) => value !== null)?.[0]
  return field === undefined ? undefined : { field, problem: 'Leases have no settings' }
}

export const fencingPasswordProblem = (password: string): string | undefined =>
  CONTROL.test(password) ? 'It has a control character' : undefined

export const fencingMessages = {
  noMethod: 'It has no fencing method',
  leasesOfLiving: 'It answers, so its guests keep their leases',
  newPassword: 'enter the password again, because it would go to another place',
  noPassword: 'the management controller needs a password',
} as const

/** Why a host cannot be fenced by hand now; undefined if it can. */
export function fenceProblem({
  method,
  state,
  inService,
}: {
  method: FencingMethod
  state: FencingState
  inService: boolean
}): string | undefined {
  if (!inService) return 'It is not in service'
  if (method === 'none') return fencingMessages.noMethod
  if (state === 'fencing') {
    return method === 'leases' ? 'Its leases are running out' : 'It is being switched off'
  }
  if (method === 'leases' && state === 'idle') return fencingMessages.leasesOfLiving
  return state === 'fenced' ? 'It is fenced' : undefined
}

/** The same as an error. */
export function fenceRefusal(...of: Parameters<typeof fenceProblem>): ErrorTemplate | undefined {
  const problem = fenceProblem(...of)
  return problem === undefined ? undefined : errors.conflict(problem)
}

/** The events around a host that does not answer, in the order in which they usually come. */
export const hostEventKinds = [
  'silent',
  'held',
  'requested',
  'fencing',
  'fencing_failed',
  'lease_waiting',
  'lease_held',
  'answered',
  'fenced',
  'lease_ended',
  'instance_lost',
  'instance_restarted',
  'instance_running',
  'back',
] as const
export type HostEventKind = (typeof hostEventKinds)[number]

export interface HostEventFacts {
  /** A reason, or the name of a user or of a method. */
  detail: string | null
  instance: string | null
  /** Serial number. */
  sled: string | null
}

const because = (detail: string | null) => (detail === null ? '' : `: ${detail}`)

/** Events as operators see them on the page of a host. */
export const hostEventSentences: Record<HostEventKind, (facts: HostEventFacts) => string> = {
  silent: ({ detail }) => `The host does not answer${because(detail)}`,
  held: ({ detail }) => `It is not fenced${because(detail)}`,
  requested: ({ detail }) => `${detail ?? 'An operator'} asked to fence it`,
  fencing: ({ detail }) => `It is being switched off by ${detail ?? 'its method'}`,
  fencing_failed: ({ detail }) => `Fencing it failed${because(detail)}`,
  lease_waiting: () => 'Waiting for the leases of its guests to run out',
  lease_held: ({ detail }) => `It is not proven dead${because(detail)}`,
  answered: () => 'The host answers again; its instances have run on',
  lease_ended: () => 'Another host has taken the leases of its guests, so they have ended',
  fenced: ({ detail }) => `Its power is off, as ${detail ?? 'its method'} reports`,
  instance_lost: ({ instance }) => `Instance ${instance} ended with it`,
  instance_restarted: ({ instance, sled }) => `Instance ${instance} starts on ${sled}`,
  instance_running: ({ instance, sled }) => `Instance ${instance} runs on ${sled}`,
  back: () => 'The host answers again, nothing of before runs on it, and it is in service',
}

/** The same as users of an instance see them: hosts are the business of operators. */
export const instanceEventSentences: Record<HostEventKind, string> = {
  silent: 'Its host does not answer',
  held: 'Its host is not fenced automatically: an operator has to look at it',
  requested: 'An operator asked to fence its host',
  fencing: 'Its host is being switched off',
  fencing_failed: 'Fencing its host failed; it is tried again',
  lease_waiting: 'Waiting for the lease of the instance to run out',
  lease_held: 'Its host may run on: an operator has to look at it',
  lease_ended: 'The lease of the instance has run out, so it has ended',
  answered: 'Its host answers again',
  fenced: 'Its host is proven to be off',
  instance_lost: 'The instance ended with its host',
  instance_restarted: 'The instance starts on another host',
  instance_running: 'The instance runs again',
  back: 'Its former host is in service again',
}

/** Why an instance on a silent host waits. */
export const instanceWaits = {
  suspect:
    'Its host does not answer. The instance may run on there, so it is not started elsewhere',
  fencing:
    'Its host does not answer, and is being switched off. The instance then counts as failed, and its restart policy decides what follows',
  leases:
    'Waiting for the lease. Its host does not answer, and the instance may run on there until its lease has run out. The instance then counts as failed, and its restart policy decides what follows',
} as const
