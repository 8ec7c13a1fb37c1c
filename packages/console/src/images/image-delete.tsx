import type { Image } from '@steading/api/client'
import { invalidate, useApiMutation } from '../data/api.ts'
import { useDeletion } from '../jobs/ask-deletion.ts'
import type { MenuAction } from '../ui/menu.tsx'
import { addToast } from '../ui/toasts.tsx'

/** The row action that deletes an image, by its ID: a name means nothing without its project. */
export function useDeleteImage(): (image: Image) => MenuAction {
  const { mutateAsync: deleteImage } = useApiMutation('imageDelete', {
    onSuccess: () => invalidate('imageList', 'imageView'),
  })
  const deletion = useDeletion()
  return ({ id, name, projectId }) =>
    deletion({
      kind: 'image',
      id,
      name,
      project: projectId ?? undefined,
      extra: 'Disks made from it stay.',
      action: async () => {
        await deleteImage({ path: { image: id } })
        addToast({
          content: (
            <>
              Image <b>{name}</b> deleted
            </>
          ),
        })
      },
    })
}
