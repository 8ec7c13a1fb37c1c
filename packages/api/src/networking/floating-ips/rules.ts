/** Rules of floating IPs and other external addresses (control plane 8.7). */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'
import type { InstanceState } from '../../compute/instances/rules.ts'

/** Reason that a floating IP cannot be deleted; undefined if it can. */
export const floatingIpCannotDelete = (instanceId: string | null | undefined): string | undefined =>
  instanceId
    ? 'This floating IP must be detached from the instance before it can be deleted'
    : undefined

/**
 * Whether an instance may gain or lose addresses, by its state: yes, soon (clients retry), or the
 * reason against it.
 */
const addressChanges = {
  creating: 'cannot modify instance IP or subnets, instance is still being created',
  starting: 'soon',
  running: 'now',
  stopping: 'soon',
  stopped: 'now',
  rebooting: 'now',
  migrating: 'soon',
  repairing: 'never',
  failed: 'cannot modify instance IPs or subnets, instance is in unhealthy state',
  destroyed: 'never',
} as const satisfies Record<InstanceState, string>

/** Whether an instance may gain or lose addresses in a state. */
export const addressesMayChange = (state: InstanceState): boolean => addressChanges[state] === 'now'

type Change = [
  verb: 'attach' | 'detach',
  what: 'ephemeral IP' | 'floating IP' | 'external subnet',
  state: InstanceState,
]

/** Message of a refusal that a retry does not resolve. */
function addressChangeProblem(...[verb, what, state]: Change): string | undefined {
  const rule = addressChanges[state]
  if (rule === 'now' || rule === 'soon') return undefined
  if (rule !== 'never') return rule
  const preposition = verb === 'attach' ? 'to' : 'from'
  return `cannot ${verb} ${what} ${preposition} instance in ${state} state`
}

/** Refusal of an address change; undefined if it is allowed. */
export function addressChangeRefusal(...change: Change): ErrorTemplate | undefined {
  if (addressChanges[change[2]] === 'soon') return errors.unavailable()
  const problem = addressChangeProblem(...change)
  return problem === undefined ? undefined : errors.invalidRequest(problem)
}

/**
 * Reason that an address or an external subnet cannot be detached; undefined if it can.
 * @param state of the instance that it is attached to, if any
 */
export function addressCannotDetach(
  what: 'floating IP' | 'external subnet',
  state: InstanceState | undefined,
): string | undefined {
  if (state === undefined) return `This ${what} is not attached to an instance`
  if (addressChanges[state] === 'soon') return `The instance is ${state}; try again in a moment`
  return addressChangeProblem('detach', what, state)
}
