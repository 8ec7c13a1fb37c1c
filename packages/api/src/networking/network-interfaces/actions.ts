/** What may be done to an interface of an instance, and why not (control plane 8.6). */
import {
  type InstanceAction,
  instanceActions,
  instanceCan,
  type InstanceState,
} from '../../compute/instances/rules.ts'

/** What each action needs of the instance, and what the console says in other states. */
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

/** Why a primary interface stays while the instance has others. */
export const PRIMARY_STAYS =
  'The primary interface can’t be deleted while other interfaces are attached. To delete it, make another interface primary.'

type Nic = {
  primary: boolean
  /** Whether the instance has others. */
  others: boolean
}

/** Why an action is not possible; undefined if it is. */
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
