/**
 * Instance states, the actions offered in each, and the reasons for refusals (user specification
 * section 4; control plane 6.1-6.4). Enforced by the control plane, explained by the console.
 */
import { GiB } from '../../rules/bytes.ts'
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

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
    can: ['reboot', 'stop', 'move', 'serialConsole', 'display'],
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
    can: ['start', 'delete', 'resize', 'updateBootDisk', 'stop', 'detachDisk', 'deleteNic'],
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

type Refuse = (state: InstanceState) => ErrorTemplate

const mustBeStopped: Refuse = (state) =>
  errors.conflict(`instance is in state ${state} but it must be stopped to be started`)
const stillStopping: Refuse = () =>
  errors.conflict('instance must finish stopping before it can be started')
const stillCreating: Refuse = () =>
  errors.invalidRequest('cannot change instance state while it is still being created')
const cannotReboot: Refuse = (state) =>
  errors.invalidRequest(
    state === 'stopped'
      ? 'cannot reboot an instance in state stopped with no VMM'
      : `cannot reboot instance in state "${state}"`,
  )
const cannotChange: Refuse = (state) =>
  errors.invalidRequest(
    `instance state cannot be changed from ${instanceHasVm(state) ? `state "${state}"` : state}`,
  )

/**
 * Resting state of an instance once it is asked to stop, by its current state. Kept apart from the
 * requests below, which browsers do not need.
 */
const comesToRest = {
  starting: 'stopping',
  running: 'stopping',
  stopping: 'already',
  rebooting: 'stopping',
  migrating: 'stopping',
} as const

/** Actions that change the state of an instance. */
export type InstanceRequest = 'start' | 'stop' | 'reboot'

/**
 * Effect of a request in each state (control plane 6.1): the next state, success without a change,
 * or a refusal. The API accepts slightly more than the console offers: starting a running instance,
 * stopping a stopped one, and rebooting one that is starting succeed.
 */
const requests = {
  start: {
    creating: mustBeStopped,
    starting: 'already',
    running: 'already',
    stopping: stillStopping,
    stopped: 'starting',
    rebooting: 'already',
    migrating: 'already',
    repairing: mustBeStopped,
    failed: 'starting',
    destroyed: mustBeStopped,
  },
  stop: {
    ...comesToRest,
    creating: stillCreating,
    stopped: 'already',
    repairing: cannotChange,
    failed: 'stopped',
    destroyed: cannotChange,
  },
  // A starting machine counts as rebooted already: clients get 202.
  reboot: {
    creating: stillCreating,
    starting: 'already',
    running: 'rebooting',
    stopping: cannotReboot,
    stopped: cannotReboot,
    rebooting: 'already',
    migrating: cannotReboot,
    repairing: cannotReboot,
    failed: cannotChange,
    destroyed: cannotChange,
  },
} as const satisfies Record<
  InstanceRequest,
  Record<InstanceState, InstanceState | 'already' | Refuse>
>

/** Outcome of a request: a new state, no change, or a refusal. */
export type InstanceOutcome = { to: InstanceState } | 'already' | { refusal: ErrorTemplate }

export function instanceOutcome(request: InstanceRequest, state: InstanceState): InstanceOutcome {
  const outcome: InstanceState | 'already' | Refuse = requests[request][state]
  if (typeof outcome === 'function') return { refusal: outcome(state) }
  return outcome === 'already' ? outcome : { to: outcome }
}

/** Whether an instance comes to rest, after a while, once it is asked to stop. */
export const instanceStops = (state: InstanceState): boolean => state in comesToRest

/** Refusals of actions that only some states permit (control plane 6.1, 6.4, 7.3, 8.6). */
const refusals = {
  move: (state) => errors.invalidRequest(`cannot move instance in state "${state}"`),
  delete: (state, hasVm) =>
    errors.invalidRequest(
      hasVm
        ? 'cannot delete instance: instance is running or has not yet fully stopped'
        : `instance cannot be deleted in state "${state}"`,
    ),
  resize: () => errors.conflict('instance must be stopped to change CPU or memory'),
  updateBootDisk: () => errors.conflict('instance must be stopped to set boot disk'),
  attachDisk: (state, hasVm) =>
    errors.invalidRequest(
      hasVm
        ? 'cannot attach disk: instance is not fully stopped'
        : `cannot attach disk to instance in ${state} state`,
    ),
  detachDisk: (state, hasVm) =>
    errors.invalidRequest(
      hasVm
        ? 'cannot detach disk: instance is not fully stopped'
        : `cannot detach disk from instance in ${state} state`,
    ),
  addNic: () => errors.invalidRequest('Instance must be stopped to attach a new network interface'),
  updateNic: () =>
    errors.invalidRequest('Instance must be stopped to update its network interfaces'),
  deleteNic: () =>
    errors.invalidRequest('Instance must be stopped or failed to detach a network interface'),
  serialConsole: (state, hasVm) =>
    errors.invalidRequest(
      hasVm
        ? `cannot connect to serial console of instance in state "${state}"`
        : `instance is ${state} and has no active serial console server`,
    ),
  display: (state, hasVm) =>
    errors.invalidRequest(
      hasVm
        ? `cannot show the screen of instance in state "${state}"`
        : `instance is ${state} and has no screen`,
    ),
} as const satisfies Record<string, (state: InstanceState, hasVm: boolean) => ErrorTemplate>

/**
 * Refusal of an action in a state; undefined if it is permitted.
 * @param hasVm whether a virtual machine exists, if the caller knows better than the state tells
 */
export function instanceRefusal(
  action: keyof typeof refusals,
  state: InstanceState,
  hasVm = instanceHasVm(state),
): ErrorTemplate | undefined {
  const offered = instanceCan(action === 'addNic' ? 'updateNic' : action, state)
  const needsVm = action === 'serialConsole' || action === 'display'
  const vmFits = action === 'delete' ? !hasVm : !needsVm || hasVm
  return offered && vmFits ? undefined : refusals[action](state, hasVm)
}

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

/** Milliseconds that a machine may take to boot before its instance counts as failed. */
export const INSTANCE_START_TIMEOUT_MS = 60 * 1000

/** Reasons for the failure of an instance, where its engine gives none. */
export const instanceFailures = {
  failed: 'Its virtual machine failed',
  absent: 'Its virtual machine is gone',
  expunged: 'The sled that it ran on was expunged',
  late: `It did not come up within ${INSTANCE_START_TIMEOUT_MS / 1000} seconds`,
} as const

/** Hardware offered in the create form: memory in GiB per vCPU count. */
export const instancePresets = {
  generalPurpose: [
    { ncpus: 2, memory: 8 },
    { ncpus: 4, memory: 16 },
    { ncpus: 8, memory: 32 },
    { ncpus: 16, memory: 64 },
  ],
  highCpu: [
    { ncpus: 2, memory: 4 },
    { ncpus: 4, memory: 8 },
    { ncpus: 8, memory: 16 },
    { ncpus: 16, memory: 32 },
  ],
  highMemory: [
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

/** Whether the control plane may restart a failed instance now: enabled, and past the cooldown. */
export const autoRestartIsDue = (
  enabled: boolean,
  cooldownExpiration: Date | undefined | null,
  now = new Date(),
): boolean => enabled && (!cooldownExpiration || cooldownExpiration <= now)
