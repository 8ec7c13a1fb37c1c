import type { Image } from '@steading/api/client'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { confirmDelete } from '../ui/confirm.tsx'
import type { MenuAction } from '../ui/menu.tsx'
import { addToast } from '../ui/toasts.tsx'

/** The row action that deletes an image, by its ID: a name means nothing without its project. */
export function useDeleteImage(): (image: Image) => MenuAction {
  const deletion = useApiAction('imageDelete', {
    onSuccess: () => invalidate('imageList', 'imageView'),
  })
  return ({ id, name }) => ({
    label: 'Delete',
    onAction: () =>
      confirmDelete({
        kind: 'image',
        name,
        extra: 'Disks made from it stay.',
        code: deletion({ path: { image: id } }).code,
        action: async () => {
          await deletion({ path: { image: id } }).action()
          addToast({
            content: (
              <>
                Image <b>{name}</b> deleted
              </>
            ),
          })
        },
      }),
  })
}
