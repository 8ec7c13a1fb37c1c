import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { confirmDelete } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { addToast } from '../ui/toasts.tsx'
import type { Named } from './queries.ts'

export const GROUPS_FROM_PROVIDER = 'The groups of this silo come from its identity provider'

/** @param onDeleted for the page of the group, which then does not exist any more */
export function useGroupActions(
  local: boolean,
  onDeleted?: () => void,
): (group: Named) => MenuAction[] {
  const remove = useApiAction('groupDelete', {
    onSuccess: () => {
      onDeleted?.()
      void invalidate('groupDetailsList', 'groupList')
      addToast('Group deleted')
    },
  })
  return ({ id, displayName }) => [
    {
      label: 'Delete',
      danger: true,
      disabledReason: !local && GROUPS_FROM_PROVIDER,
      onAction: () =>
        confirmDelete({
          kind: 'group',
          name: displayName,
          extra:
            'Its members stay users of this silo, and lose the roles that the group gives them at once.',
          ...remove({ path: { groupId: id } }),
        }),
    },
  ]
}
