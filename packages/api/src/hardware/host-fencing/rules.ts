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
 *
 * Halting a host over its own SSH is none: it says nothing of a host that cannot be reached.
 */
export const fencingMethods = ['none', 'ipmi', 'redfish', 'hypervisor'] as const
export type FencingMethod = (typeof fencingMethods)[number]
export type PowerSwitchMethod = Exclude<FencingMethod, 'none'>
export const powerSwitchMethods = fencingMethods.filter(
  (method): method is PowerSwitchMethod => method !== 'none',
)

export const fencingMethodNames: Record<FencingMethod, string> = {
  none: 'None',
  ipmi: 'IPMI',
  redfish: 'Redfish',
  hypervisor: 'Hypervisor',
}

/** The proof that a method gives, and its needs; sentences without a full stop. */
export const fencingMethodMeanings: Record<PowerSwitchMethod, string> = {
  ipmi: 'Proves that the power of the host is off, as its management controller reports it. Needs the package ipmitool on the server',
  redfish:
    'Proves that the power of the host is off, as its management controller reports it. Needs the package fence-agents on the server',
  hypervisor:
    'For trials: the host is a virtual machine, and its hypervisor proves that it is off. Needs the package libvirt-clients on the server',
}

/**
 * - `idle`: nothing is known against the host
 * - `suspect`: it does not answer; whether it is dead is not known
 * - `fencing`: it is to be switched off
 * - `fenced`: its power was off. Instances run there again only when it answers, and nothing of
 * before runs on it
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

export const fencingPasswordProblem = (password: string): string | undefined =>
  CONTROL.test(password) ? 'It has a control character' : undefined

export const fencingMessages = {
  noMethod: 'It has no fencing method',
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
  if (state === 'fencing') return 'It is being switched off'
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
  'answered',
  'fenced',
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
  held: ({ detail }) => `It is not switched off${because(detail)}`,
  requested: ({ detail }) => `${detail ?? 'An operator'} asked to switch it off`,
  fencing: ({ detail }) => `It is being switched off by ${detail ?? 'its method'}`,
  fencing_failed: ({ detail }) => `Switching it off failed${because(detail)}`,
  answered: () => 'The host answers again; it was not switched off',
  fenced: ({ detail }) => `Its power is off, as ${detail ?? 'its method'} reports`,
  instance_lost: ({ instance }) => `Instance ${instance} ended with it`,
  instance_restarted: ({ instance, sled }) => `Instance ${instance} starts on ${sled}`,
  instance_running: ({ instance, sled }) => `Instance ${instance} runs on ${sled}`,
  back: () => 'The host answers again, nothing of before runs on it, and it is in service',
}

/** The same as users of an instance see them: hosts are the business of operators. */
export const instanceEventSentences: Record<HostEventKind, string> = {
  silent: 'Its host does not answer',
  held: 'Its host is not switched off by itself: an operator has to look at it',
  requested: 'An operator asked to switch its host off',
  fencing: 'Its host is being switched off',
  fencing_failed: 'Switching its host off failed; it is tried again',
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
} as const
