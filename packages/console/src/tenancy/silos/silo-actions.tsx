import type { Silo } from '@steading/api/client'
import { useCurrentUser } from '../../data/session.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'

/** Help text of pages about silos. */
export const siloSummary =
  'A silo is a tenant of the cloud: it has users, groups, projects and quotas of its own, and sees nothing of other silos.'

/** @param onDeleted leaves the silo's page */
export function useSiloActions(onDeleted?: () => void): (silo: Silo) => MenuAction[] {
  const { siloId } = useCurrentUser()
  const remove = useDeleteAction('siloDelete', 'silo', {
    onDeleted,
  })
  return ({ id, name }) => [
    remove(
      name,
      { path: { silo: name } },
      {
        calls: { operation: 'siloDelete', silo: name },
        disabledReason: id === siloId && 'You are signed in to this silo',
        extra:
          'Its users are signed out at once. They are deleted with their keys and access tokens, and so are the groups, images and settings of the silo.',
      },
    ),
  ]
}
