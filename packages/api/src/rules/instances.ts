/**
 * What may be done to an instance in which state, and why not (user specification section 4;
 * control plane 6.1-6.4). Enforced by the control plane, explained by the console.
 */
import { GiB } from './bytes.ts'

export const instanceStates = [
  'creating',
  'starting',
  'running',
  'stopping',
  'stopped',
  'rebooting',
  'migrating',
  'repairing',
  'failed',
  'destroyed',
] as const
export type InstanceState = (typeof instanceStates)[number]

/** States an instance leaves by itself. */
const transitioning: ReadonlySet<InstanceState> = new Set([
  'creating',
  'starting',
  'stopping',
  'rebooting',
  'migrating',
])
export const instanceIsTransitioning = (state: InstanceState): boolean => transitioning.has(state)

/** States without a virtual machine: nothing runs, nothing is charged but storage. */
const withoutVm: ReadonlySet<InstanceState> = new Set([
  'creating',
  'stopped',
  'failed',
  'destroyed',
])
export const instanceHasVm = (state: InstanceState): boolean => !withoutVm.has(state)

/** Action → states it is offered in, and the reason shown in all others. */
export const instanceActions = {
  start: {
    in: ['stopped', 'failed'],
    otherwise: 'Only stopped or failed instances can be started',
  },
  delete: {
    in: ['stopped', 'failed'],
    otherwise: 'Only stopped or failed instances can be deleted',
  },
  resize: {
    in: ['stopped', 'failed', 'creating'],
    otherwise: 'Only stopped, failed, or creating instances can be resized',
  },
  updateBootDisk: {
    in: ['stopped', 'failed', 'creating'],
    otherwise: 'Instance must be stopped before boot disk can be changed',
  },
  reboot: { in: ['running'], otherwise: 'Only running instances can be rebooted' },
  stop: {
    in: ['running', 'starting', 'rebooting', 'failed'],
    otherwise: 'Only running instances can be stopped',
  },
  detachDisk: {
    in: ['creating', 'stopped', 'failed'],
    otherwise: 'Instance must be stopped before disk can be detached',
  },
  attachDisk: {
    in: ['creating', 'stopped'],
    otherwise: 'Instance must be stopped to attach a disk',
  },
  updateNic: {
    in: ['stopped'],
    otherwise: 'A network interface cannot be created or edited unless the instance is stopped',
  },
  serialConsole: {
    in: ['running', 'rebooting', 'migrating', 'repairing'],
    otherwise: 'You can only connect to the serial console on a running instance.',
  },
  addToAffinityGroup: {
    in: ['stopped'],
    otherwise: 'Only stopped instances can be added to a group',
  },
} as const satisfies Record<string, { in: readonly InstanceState[]; otherwise: string }>

export type InstanceAction = keyof typeof instanceActions

export const instanceCan = (action: InstanceAction, state: InstanceState): boolean =>
  (instanceActions[action].in as readonly InstanceState[]).includes(state)

/** Why an action is not possible in a state; undefined if it is. */
export const instanceCannot = (action: InstanceAction, state: InstanceState): string | undefined =>
  instanceCan(action, state) ? undefined : instanceActions[action].otherwise

export const INSTANCE_MAX_CPUS = 254
/** Bytes. */
export const INSTANCE_MIN_MEMORY = GiB
/** Bytes. */
export const INSTANCE_MAX_MEMORY = 1536 * GiB
export const INSTANCE_MAX_DISKS = 12
export const INSTANCE_MAX_NICS = 8
export const INSTANCE_MAX_EXTERNAL_IPS = 32
export const INSTANCE_MAX_EPHEMERAL_IPS = 2
export const INSTANCE_MAX_MULTICAST_GROUPS = 32
export const INSTANCE_MAX_SSH_KEYS = 100
/** Bytes, decoded. */
export const USER_DATA_MAX = 32 * 1024
/** How long a failed instance waits between two automatic restarts, in milliseconds. */
export const AUTO_RESTART_COOLDOWN_MS = 5 * 60 * 1000

/** Hardware offered in the create form: memory in GiB per vCPU count. */
export const instancePresets = {
  'General Purpose': [
    { ncpus: 2, memory: 8 },
    { ncpus: 4, memory: 16 },
    { ncpus: 8, memory: 32 },
    { ncpus: 16, memory: 64 },
  ],
  'High CPU': [
    { ncpus: 2, memory: 4 },
    { ncpus: 4, memory: 8 },
    { ncpus: 8, memory: 16 },
    { ncpus: 16, memory: 32 },
  ],
  'High Memory': [
    { ncpus: 2, memory: 16 },
    { ncpus: 4, memory: 32 },
    { ncpus: 8, memory: 64 },
    { ncpus: 16, memory: 128 },
  ],
} as const

/** Form message for a vCPU count, or undefined. */
export function cpuFieldProblem(ncpus: number): string | undefined {
  if (!(ncpus >= 1)) return 'Must be at least 1 vCPU'
  if (ncpus > INSTANCE_MAX_CPUS) return `Can be at most ${INSTANCE_MAX_CPUS}`
  return undefined
}

/** Form message for an amount of memory in GiB, or undefined. */
export function memoryFieldProblem(gib: number): string | undefined {
  if (!(gib >= INSTANCE_MIN_MEMORY / GiB))
    return `Must be at least ${INSTANCE_MIN_MEMORY / GiB} GiB`
  if (gib > INSTANCE_MAX_MEMORY / GiB) return `Can be at most ${INSTANCE_MAX_MEMORY / GiB} GiB`
  return undefined
}

/** A failed instance the control plane may restart now: enabled, and no cooldown left. */
export const autoRestartIsDue = (
  enabled: boolean,
  cooldownExpiration: Date | undefined | null,
  now = new Date(),
): boolean => enabled && (!cooldownExpiration || cooldownExpiration <= now)
