import type { AntiAffinityGroup } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate, refresh, seed } from '../data/api.ts'
import { confirmDelete } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { addToast } from '../ui/toasts.tsx'
import { forgetGroup, leaveGroup, stayAtGroup } from './queries.ts'

/** The actions of a group, in its row and on its page. */
export function useGroupActions(
  project: string,
  onDeleted?: () => Promise<unknown>,
): (group: AntiAffinityGroup) => MenuAction[] {
  const navigate = useNavigate()
  const deletion = useApiAction('antiAffinityGroupDelete')
  return (group) => {
    const params = { project, antiAffinityGroup: group.name }
    const path = { antiAffinityGroup: group.name }
    const { action, code } = deletion({ path, query: { project } })
    return [
      {
        label: 'Edit',
        calls: 'antiAffinityGroupUpdate',
        onAction: () => {
          seed('antiAffinityGroupView', { path, query: { project } }, group)
          void navigate({ to: '/projects/$project/affinity/$antiAffinityGroup/edit', params })
        },
      },
      {
        label: 'Delete',
        calls: 'antiAffinityGroupDelete',
        danger: true,
        onAction: () =>
          confirmDelete({
            kind: 'anti-affinity group',
            name: group.name,
            extra: 'Its members are neither deleted nor moved.',
            code,
            action: async () => {
              leaveGroup(params)
              try {
                await action()
              } catch (error) {
                stayAtGroup(params)
                throw error
              }
              addToast({
                content: (
                  <>
                    Anti-affinity group <b>{group.name}</b> deleted
                  </>
                ),
              })
              // The list that is shown next must not read the deleted row.
              await refresh('antiAffinityGroupList')
              await onDeleted?.()
              await invalidate('instanceAntiAffinityGroupList')
              void forgetGroup(params)
            },
          }),
      },
    ]
  }
}
