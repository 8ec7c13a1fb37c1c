import type { Silo } from '@steading/api/client'
import { useAvailable } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { poolsNeed } from '../../storage/storage-pools/choices.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { openDialog } from '../../ui/opened-dialog.tsx'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'

const SiloPoolModal = lazyPart(() => import('../../storage/storage-pools/silo-pool-modal.tsx'))

/** Help text of pages about silos. */
export const siloSummary =
  'A silo is a tenant of the cloud: it has users, groups, projects and quotas of its own, and sees nothing of other silos.'

/** @param onDeleted leaves the silo's page */
export function useSiloActions(onDeleted?: () => void): (silo: Silo) => MenuAction[] {
  const { siloId } = useCurrentUser()
  const remove = useDeleteAction('siloDelete', 'silo', {
    onDeleted,
  })
  const hasPools = useAvailable(poolsNeed).length > 0
  return (silo) => [
    ...(hasPools
      ? [
          {
            label: 'Choose default storage pool',
            calls: 'siloStoragePoolUpdate' as const,
            onAction: () => openDialog((close) => <SiloPoolModal silo={silo} onDismiss={close} />),
          },
        ]
      : []),
    remove(
      silo.name,
      { path: { silo: silo.name } },
      {
        calls: { operation: 'siloDelete', silo: silo.name },
        disabledReason: silo.id === siloId && 'You are signed in to this silo',
        extra:
          'Its users are signed out at once. They are deleted with their keys and access tokens, and so are the groups, images and settings of the silo.',
      },
    ),
  ]
}
