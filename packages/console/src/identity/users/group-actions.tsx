import type { GroupDetails } from '@steading/api/client'
import { keptElsewhere } from '@steading/api/rules'
import { RoleLosses } from '../access/losses.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { addToast } from '../../ui/toasts.tsx'

/** @param onDeleted leaves the group's page */
export function useGroupActions(onDeleted?: () => void): (group: GroupDetails) => MenuAction[] {
  const remove = useApiAction('groupDelete', {
    onSuccess: () => {
      onDeleted?.()
      void invalidate('groupDetailsList', 'groupList')
      addToast('Group deleted')
    },
  })
  const history = useHistoryAction('silo_group')
  return ({ id, displayName, source }) => [
    ...history({ id, name: displayName }),
    {
      label: 'Delete',
      danger: true,
      calls: 'groupDelete',
      disabledReason: keptElsewhere('group', source),
      onAction: () =>
        confirmDelete({
          kind: 'group',
          name: displayName,
          extra: (
            <>
              Its members stay users of this silo.
              <div className="mt-2">
                <RoleLosses change={{ type: 'group', groupId: id, members: null }} />
              </div>
            </>
          ),
          ...remove({ path: { groupId: id } }),
        }),
    },
  ]
}
