import type { Image } from '@steading/api/client'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'

/** The row action that deletes an image, by ID because names are unique only within a project. */
export function useDeleteImage(): (image: Image) => MenuAction {
  const remove = useApiAction('imageDelete', {
    onSuccess: whenReread,
  })
  const deletion = useDeletion()
  return ({ id, name, projectId }) =>
    deletion({
      kind: 'image',
      id,
      name,
      project: projectId ?? undefined,
      extra: 'Disks made from it stay.',
      code: remove({ path: { image: id } }).code,
      action: async () => {
        await remove({ path: { image: id } }).action()
        doneToast('Image', name, 'deleted')
      },
    })
}
