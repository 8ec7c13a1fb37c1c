import type { DeletedResource } from '@steading/api/client'
import { kindLabels } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useCurrentUser } from '../../data/session.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Strong } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { useApiAction } from '../as-code/as-code.tsx'
import { useVersions } from '../setting-versions/use-versions.tsx'
import { deletedColumns } from './columns.tsx'
import { useDeletionPolicy } from './policy-action.tsx'
import { deletedListDefinition, hoursText } from './queries.ts'
import { whenReread } from '../../data/api.ts'

const RestoreDialog = lazyPart(() => import('./restore-dialog.tsx'))

const deletedResources = resourceList({
  list: deletedListDefinition,
  noun: 'deleted resource',
  icon: Undo2,
  title: 'Recently Deleted',
  docs: {
    topic: 'restoring deleted resources',
    summary:
      'Deleted resources of the project can be restored for as long as the deletion policy of the silo says. They count in no quota. The oldest go first if their storage is needed.',
  },
  path: '/projects/$project/deleted',
  columns: deletedColumns,
  bulk: true,
})

/** The deleted resources of a project that can be restored. */
export function DeletedPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const { policy, action, dialog } = useDeletionPolicy()
  const { siloId, siloName } = useCurrentUser()
  const silo = { id: siloId, name: siloName }
  const versions = useVersions('deletion_policy', silo)
  const [restoring, setRestoring] = useState<DeletedResource>()
  const close = () => setRestoring(undefined)
  const actions = useDeletedActions(setRestoring)
  const hours = policy?.restorableHours ?? 0
  return (
    <ResourceList
      of={deletedResources}
      within={{ project }}
      status={<ActionButtons actions={[...versions.actions, action]} />}
      actions={actions}
      empty={
        hours > 0
          ? {
              title: 'No deleted resources',
              body: `Resources that are deleted appear here for ${hoursText(hours)}, and can be restored`,
            }
          : {
              title: 'Deleted resources are not kept',
              body: 'The deletion policy of the silo deletes resources at once. An admin of the silo can change that.',
            }
      }
    >
      {dialog}
      {versions.panel}
      <DialogPart onDismiss={close}>
        {restoring && <RestoreDialog key={restoring.id} resource={restoring} onDismiss={close} />}
      </DialogPart>
    </ResourceList>
  )
}

function useDeletedActions(
  onRestore: (resource: DeletedResource) => void,
): (resource: DeletedResource) => MenuAction[] {
  const remove = useApiAction('deletedResourceDelete')
  return (resource) => {
    const { id, name, kind } = resource
    const { action, ...confirmation } = remove({ path: { deletedResource: id } })
    return [
      { label: 'Restore', calls: 'deletedResourceRestore', onAction: () => onRestore(resource) },
      {
        label: 'Delete permanently',
        calls: 'deletedResourceDelete',
        danger: true,
        onAction: () =>
          confirmAction({
            title: 'Delete permanently',
            errorTitle: `Could not delete ${name}`,
            danger: true,
            body: (
              <>
                Are you sure you want to delete {kindLabels(kind)} <Strong>{name}</Strong> for good?
                It cannot be restored afterwards.
              </>
            ),
            ...confirmation,
            action: async () => {
              await action()
              doneToast(capitalized(kindLabels(kind)), name, 'deleted permanently')
              await whenReread()
            },
          }),
      },
    ]
  }
}
