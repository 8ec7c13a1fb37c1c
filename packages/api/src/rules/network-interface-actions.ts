/** What may be done to an interface of an instance, and why not (control plane 8.6). */
import type { InstanceState } from './instances.ts'

const stateReasons = {
  makePrimary: 'The instance must be stopped to change its primary network interface',
  edit: "The instance must be stopped before editing a network interface's settings",
  delete: 'The instance must be stopped to delete a network interface',
}

type Nic = {
  primary: boolean
  /** Whether the instance has others. */
  others: boolean
}

/** Why an action is not possible; undefined if it is. */
export function nicCannot(
  action: keyof typeof stateReasons,
  state: InstanceState,
  { primary, others }: Nic,
): string | undefined {
  if (action === 'makePrimary' && primary) {
    return 'This network interface is already set as primary'
  }
  const stateAllows = state === 'stopped' || (action === 'delete' && state === 'failed')
  if (!stateAllows) return stateReasons[action]
  return action === 'delete' && primary && others
    ? 'The primary interface can’t be deleted while other interfaces are attached. To delete it, make another interface primary.'
    : undefined
}
