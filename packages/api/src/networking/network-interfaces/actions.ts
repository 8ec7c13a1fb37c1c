/**
 * Actions on the network interface of an instance, and the reasons against them (control plane
 * 8.6).
 */
import {
  type InstanceAction,
  instanceActions,
  instanceCan,
  type InstanceState,
} from '../../compute/instances/rules.ts'

/**
 * The instance action behind each interface action, and the console's explanation in other states.
 */
const stateRules = {
  makePrimary: {
    needs: 'updateNic',
    otherwise: 'The instance must be stopped to change its primary network interface',
  },
  edit: {
    needs: 'updateNic',
    otherwise: "The instance must be stopped before editing a network interface's settings",
  },
  delete: { needs: 'deleteNic', otherwise: instanceActions.deleteNic.otherwise },
} as const satisfies Record<string, { needs: InstanceAction; otherwise: string }>

/** Reason that a primary interface cannot be deleted while the instance has others. */
export const PRIMARY_STAYS =
  'The primary interface can’t be deleted while other interfaces are attached. To delete it, make another interface primary.'

type Nic = {
  primary: boolean
  /** Whether the instance has other interfaces. */
  others: boolean
}

/** Reason that an action is not possible; undefined if it is. */
export function nicCannot(
  action: keyof typeof stateRules,
  state: InstanceState,
  { primary, others }: Nic,
): string | undefined {
  if (action === 'makePrimary' && primary) {
    return 'This network interface is already set as primary'
  }
  const { needs, otherwise } = stateRules[action]
  if (!instanceCan(needs, state)) return otherwise
  return action === 'delete' && primary && others ? PRIMARY_STAYS : undefined
}
