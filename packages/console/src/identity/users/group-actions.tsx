import type { GroupDetails } from '@steading/api/client'
import { keptElsewhere } from '@steading/api/rules'
import { RoleLosses } from '../access/losses.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import type { MenuAction } from '../../ui/menu-action.ts'

/** @param onDeleted leaves the group's page */
export function useGroupActions(onDeleted?: () => void): (group: GroupDetails) => MenuAction[] {
  const remove = useDeleteAction('groupDelete', 'group', {
    onDeleted,
    toast: 'Group deleted',
  })
  const history = useHistoryAction('silo_group')
  return ({ id, displayName, source }) => [
    ...history({ id, name: displayName }),
    remove(
      displayName,
      { path: { groupId: id } },
      {
        disabledReason: keptElsewhere('group', source),
        extra: (
          <>
            Its members stay users of this silo.
            <div className="mt-2">
              <RoleLosses change={{ type: 'group', groupId: id, members: null }} />
            </div>
          </>
        ),
      },
    ),
  ]
}
