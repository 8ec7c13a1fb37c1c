import type { Image } from '@steading/api/client'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Disc3, Upload } from 'lucide-react'
import { useCapability } from '../../data/capabilities.ts'
import { ListPage } from '../../page/list-page.tsx'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { imageColumns } from './columns.tsx'
import { useDeleteImage } from './image-delete.tsx'
import { InterruptedUploads } from './interrupted-uploads.tsx'
import { projectImageListDefinition } from './queries.ts'

const PromoteModal = lazyPart(() =>
  import('./promote.tsx').then((module) => ({ default: module.PromoteModal })),
)

const ImageDownloads = lazyPart(() =>
  import('../image-downloads/image-downloads.tsx').then((module) => ({
    default: module.ImageDownloads,
  })),
)

const FirstImageOfProject = lazyPart(() =>
  import('../image-downloads/first-image.tsx').then((module) => ({
    default: module.FirstImageOfProject,
  })),
)

const promotion = { operation: 'imagePromote', about: ['image', 'silo_image'] }

const images = resourceList({
  list: projectImageListDefinition,
  noun: 'image',
  icon: Disc3,
  title: 'Project Images',
  label: 'Project images',
  docs: {
    topic: 'images',
    summary:
      'Disks are created from images. A project’s images can be used only in that project until they are promoted.',
  },
  path: '/projects/$project/images',
  item: '/projects/$project/images/$image',
  quickGroup: 'Go to project image',
  columns: imageColumns,
  bulk: true,
  create: { label: 'Upload image', calls: 'diskCreate', icon: Upload },
})

export function ProjectImagesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const [promoting, setPromoting] = useState<Image>()
  const deleteAction = useDeleteImage()
  const actions = (image: Image): MenuAction[] => [
    { label: 'Promote', calls: promotion, onAction: () => setPromoting(image) },
    deleteAction(image),
  ]
  const page = useResourceList(images, { project })
  const canDownload = useCapability('imageDownloads')
  return (
    <ListPage
      {...page}
      actions={actions}
      above={
        <>
          {canDownload && (
            <Suspense>
              <ImageDownloads project={project} />
              {page.list.rows?.length === 0 && (
                <FirstImageOfProject project={project} className="mx-(--gutter) mb-4" />
              )}
            </Suspense>
          )}
          <InterruptedUploads project={project} />
        </>
      }
    >
      <DialogPart onDismiss={() => setPromoting(undefined)}>
        {promoting && <PromoteModal image={promoting} onDismiss={() => setPromoting(undefined)} />}
      </DialogPart>
    </ListPage>
  )
}
