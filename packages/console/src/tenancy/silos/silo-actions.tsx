import type { Silo } from '@steading/api/client'
import { invalidate } from '../../data/api.ts'
import { useCurrentUser } from '../../data/session.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'

/** Help text of pages about silos. */
export const siloSummary =
  'A silo is a tenant of the cloud: it has users, groups, projects and quotas of its own, and sees nothing of other silos.'

/** @param onDeleted leaves the silo's page */
export function useSiloActions(onDeleted?: () => void): (silo: Silo) => MenuAction[] {
  const { siloId } = useCurrentUser()
  const remove = useApiAction('siloDelete', {
    onSuccess: (_, { path }) => {
      onDeleted?.()
      void invalidate('siloList', 'siloUtilizationList')
      addToast({
        content: (
          <>
            Silo <Strong>{path.silo}</Strong> deleted
          </>
        ),
      })
    },
  })
  return ({ id, name }) => [
    {
      label: 'Delete',
      danger: true,
      calls: { operation: 'siloDelete', silo: name },
      disabledReason: id === siloId && 'You are signed in to this silo',
      onAction: () =>
        confirmDelete({
          kind: 'silo',
          name,
          extra:
            'Its users are signed out at once. They are deleted with their keys and access tokens, and so are the groups, images and settings of the silo.',
          ...remove({ path: { silo: name } }),
          calls: { operation: 'siloDelete', silo: name },
        }),
    },
  ]
}
