/**
 * Instance states, the actions offered in each, and the reasons for refusals (user specification
 * section 4; control plane 6.1-6.4). Enforced by the control plane, explained by the console.
 */
import { GiB } from '../../rules/bytes.ts'

/**
 * Every state: whether the instance leaves it without a request, whether a virtual machine exists
 * (it is charged, and may run), and the actions offered.
 */
const states = {
  creating: {
    transitioning: true,
    vm: false,
    can: ['resize', 'updateBootDisk', 'attachDisk', 'detachDisk'],
  },
  starting: { transitioning: true, vm: true, can: ['stop'] },
  running: {
    transitioning: false,
    vm: true,
    can: ['reboot', 'stop', 'move', 'moveDisk', 'serialConsole', 'display'],
  },
  stopping: { transitioning: true, vm: true, can: [] },
  stopped: {
    transitioning: false,
    vm: false,
    can: [
      'start',
      'delete',
      'resize',
      'updateBootDisk',
      'attachDisk',
      'detachDisk',
      'rollBack',
      'moveDisk',
      'updateNic',
      'deleteNic',
      'addToAffinityGroup',
    ],
  },
  rebooting: { transitioning: true, vm: true, can: ['stop', 'serialConsole', 'display'] },
  migrating: { transitioning: true, vm: true, can: ['serialConsole', 'display'] },
  repairing: { transitioning: false, vm: true, can: ['serialConsole', 'display'] },
  failed: {
    transitioning: false,
    vm: false,
    can: [
      'start',
      'delete',
      'resize',
      'updateBootDisk',
      'stop',
      'detachDisk',
      'rollBack',
      'moveDisk',
      'deleteNic',
    ],
  },
  destroyed: { transitioning: false, vm: false, can: [] },
} as const satisfies Record<
  string,
  { transitioning: boolean; vm: boolean; can: readonly InstanceAction[] }
>

export type InstanceState = keyof typeof states
export const instanceStates = Object.keys(states) as InstanceState[]

/** States of an instance whose machine the engine has started. */
export const startedStates = ['running', 'rebooting', 'stopping'] as const satisfies InstanceState[]

/** Whether an instance leaves a state without a request. */
export const instanceIsTransitioning = (state: InstanceState): boolean =>
  states[state].transitioning

/** Whether a virtual machine exists in a state. Without one, only storage is charged. */
export const instanceHasVm = (state: InstanceState): boolean => states[state].vm

/** The console's explanation of an action in states that do not offer it. */
export const instanceActions = {
  start: { otherwise: 'Only stopped or failed instances can be started' },
  delete: { otherwise: 'Only stopped or failed instances can be deleted' },
  resize: { otherwise: 'Only stopped, failed, or creating instances can be resized' },
  updateBootDisk: { otherwise: 'Instance must be stopped before boot disk can be changed' },
  reboot: { otherwise: 'Only running instances can be rebooted' },
  stop: { otherwise: 'Only running instances can be stopped' },
  move: { otherwise: 'Only running instances can be moved' },
  detachDisk: { otherwise: 'Instance must be stopped before disk can be detached' },
  attachDisk: { otherwise: 'Instance must be stopped to attach a disk' },
  rollBack: { otherwise: 'Only disks of stopped or failed instances can be rolled back' },
  moveDisk: {
    otherwise: 'Only disks of running, stopped or failed instances can be moved',
  },
  updateNic: {
    otherwise: 'A network interface cannot be created or edited unless the instance is stopped',
  },
  deleteNic: { otherwise: 'The instance must be stopped to delete a network interface' },
  serialConsole: {
    otherwise: 'You can only connect to the serial console on a running instance.',
  },
  display: { otherwise: 'Only running instances show a screen' },
  addToAffinityGroup: { otherwise: 'Only stopped instances can be added to a group' },
} as const satisfies Record<string, { otherwise: string }>

export type InstanceAction = keyof typeof instanceActions

/** Whether an action is offered in a state. */
export const instanceCan = (action: InstanceAction, state: InstanceState): boolean =>
  (states[state].can as readonly InstanceAction[]).includes(action)

/** Explanation of an action that a state does not offer; undefined if it does. */
export const instanceCannot = (action: InstanceAction, state: InstanceState): string | undefined =>
  instanceCan(action, state) ? undefined : instanceActions[action].otherwise

/**
 * Resting state of an instance once it is asked to stop, by its current state. Kept apart from the
 * requests (`refusals.ts`), which browsers do not need.
 */
export const comesToRest = {
  starting: 'stopping',
  running: 'stopping',
  stopping: 'already',
  rebooting: 'stopping',
  migrating: 'stopping',
} as const

/** Whether an instance comes to rest, after a while, once it is asked to stop. */
export const instanceStops = (state: InstanceState): boolean => state in comesToRest

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
/** Milliseconds between two automatic restarts of a failed instance. */
export const AUTO_RESTART_COOLDOWN_MS = 5 * 60 * 1000

/** The title of the notice for users of an instance on a silent host. */
export const hostSilentTitle = 'The host of the instance does not answer'

/**
 * Milliseconds that an engine may take to boot a machine before its instance counts as failed.
 * Machines that start wait for each other, and for other hosts to close their disks.
 */
export const INSTANCE_BOOT_TIMEOUT_MS = 10 * 60 * 1000

/** Reasons for the failure of an instance, where its engine gives none. */
export const instanceFailures = {
  failed: 'Its virtual machine failed',
  absent: 'Its virtual machine is gone',
  expunged: 'The sled that it ran on was expunged',
  fenced: 'The host that it ran on did not answer, and is proven dead',
  late: `It did not come up within ${INSTANCE_BOOT_TIMEOUT_MS / 60_000} minutes`,
} as const

/** Whether the control plane may restart a failed instance now: enabled, and past the cooldown. */
export const autoRestartIsDue = (
  enabled: boolean,
  cooldownExpiration: Date | undefined | null,
  now = new Date(),
): boolean => enabled && (!cooldownExpiration || cooldownExpiration <= now)
