import type { Image } from '@steading/api/client'
import { Suspense, useState } from 'react'
import { Disc3 } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { imageColumns } from './columns.tsx'
import { useDeleteImage } from './image-delete.tsx'
import { siloImageListDefinition, siloImagesQuery } from './queries.ts'

const noun = { one: 'image', many: 'images' }

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

const columns = imageColumns(({ name }) => (
  <CellLink to="/images/$image" params={{ image: name }}>
    {name}
  </CellLink>
))

/** The image, and so the project, is not known before the dialog. */
const promotion = { operation: 'imagePromote', about: ['silo_image'] }

/** The open dialog: promote a project image, or demote this image. */
type Open = 'promote' | Image

export function SiloImagesPage() {
  const list = useListPage(siloImageListDefinition, {}, columns)
  const bulk = useBulk('image', list)
  const [open, setOpen] = useState<Open>()
  const canDownload = useCapability('imageDownloads')
  const close = () => setOpen(undefined)
  const deleteAction = useDeleteImage()
  const actions = (image: Image): MenuAction[] => [
    { label: 'Demote', calls: 'imageDemote', onAction: () => setOpen(image) },
    deleteAction(image),
  ]
  useListQuickActions(quickActions)
  return (
    <ListPage
      title="Silo Images"
      label="Silo images"
      icon={Disc3}
      noun={noun}
      docs={{
        topic: 'images',
        summary:
          'Disks are created from images. A silo’s images can be used in all of its projects.',
      }}
      reads={['imageList']}
      create={{ label: 'Promote image', calls: promotion, onAction: () => setOpen('promote') }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{ title: 'No images', body: 'Promote an image to see it here' }}
      above={
        canDownload && (
          <Suspense>
            <ImageDownloads />
          </Suspense>
        )
      }
    >
      <DialogPart onDismiss={close}>
        {open === 'promote' && <PromoteForm onDismiss={close} />}
        {typeof open === 'object' && <DemoteForm image={open} onDismiss={close} />}
      </DialogPart>
    </ListPage>
  )
}

const quickActions: ListQuickActions = {
  all: siloImagesQuery,
  group: 'Go to silo image',
  pathOf: (image: string) => pathTo('/images/$image', { image }),
}
