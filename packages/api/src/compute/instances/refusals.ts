/** Outcomes of requests and refusals of actions, by the state of the instance. */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'
import { comesToRest, type InstanceState, instanceCan, instanceHasVm } from './rules.ts'

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
