import type { Image } from '@steading/api/client'
import { Suspense, useState } from 'react'
import { Disc3 } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { useCurrentUser } from '../../data/session.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { useImagePolicy } from '../image-policy/policy-action.tsx'
import { imageColumns } from './columns.tsx'
import { useDeleteImage } from './image-delete.tsx'
import { siloImageListDefinition } from './queries.ts'

const PromoteForm = lazyPart(() =>
  import('./silo-forms.tsx').then((module) => ({ default: module.PromoteForm })),
)
const DemoteForm = lazyPart(() =>
  import('./silo-forms.tsx').then((module) => ({ default: module.DemoteForm })),
)

const ImageDownloads = lazyPart(() =>
  import('../image-downloads/image-downloads.tsx').then((module) => ({
    default: module.ImageDownloads,
  })),
)

const images = resourceList({
  list: siloImageListDefinition,
  noun: 'image',
  icon: Disc3,
  title: 'Silo Images',
  label: 'Silo images',
  docs: {
    topic: 'images',
    summary: 'Disks are created from images. A silo’s images can be used in all of its projects.',
  },
  path: '/images',
  item: '/images/$image',
  quickGroup: 'Go to silo image',
  columns: imageColumns,
  bulk: 'image',
  empty: { body: 'Promote an image to see it here' },
})

/** The image, and so the project, is not known before the dialog. */
const promotion = { operation: 'imagePromote', about: ['silo_image'] }

/** The open dialog: promote a project image, or demote this image. */
type Open = 'promote' | Image

export function SiloImagesPage() {
  const [open, setOpen] = useState<Open>()
  const canDownload = useCapability('imageDownloads')
  const close = () => setOpen(undefined)
  const deleteAction = useDeleteImage()
  const policy = useImagePolicy()
  const { siloId, siloName } = useCurrentUser()
  const versions = useVersions('image_policy', { id: siloId, name: siloName })
  const actions = (image: Image): MenuAction[] => [
    { label: 'Demote', calls: 'imageDemote', onAction: () => setOpen(image) },
    deleteAction(image),
  ]
  return (
    <ResourceList
      of={images}
      create={{ label: 'Promote image', calls: promotion, onAction: () => setOpen('promote') }}
      actions={actions}
      status={<ActionButtons actions={[...versions.actions, ...policy.actions]} />}
      above={
        canDownload && (
          <Suspense>
            <ImageDownloads />
          </Suspense>
        )
      }
    >
      {versions.panel}
      {policy.dialog}
      <DialogPart onDismiss={close}>
        {open === 'promote' && <PromoteForm onDismiss={close} />}
        {typeof open === 'object' && <DemoteForm image={open} onDismiss={close} />}
      </DialogPart>
    </ResourceList>
  )
}
