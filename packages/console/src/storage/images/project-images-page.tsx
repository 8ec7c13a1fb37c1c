import type { Image } from '@steading/api/client'
import { useParams } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { Disc3, Upload } from 'lucide-react'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { useCapability } from '../../data/capabilities.ts'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { CellLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { imageColumns } from './columns.tsx'
import { useDeleteImage } from './image-delete.tsx'
import { InterruptedUploads } from './interrupted-uploads.tsx'
import { projectImageListDefinition, projectImagesQuery } from './queries.ts'

const noun = { one: 'image', many: 'images' }

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

export function ProjectImagesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const [promoting, setPromoting] = useState<Image>()
  const deleteAction = useDeleteImage()
  const actions = (image: Image): MenuAction[] => [
    { label: 'Promote', calls: promotion, onAction: () => setPromoting(image) },
    deleteAction(image),
  ]
  const columns = useMemo(
    () =>
      imageColumns(({ name }) => (
        <CellLink to="/projects/$project/images/$image" params={{ project, image: name }}>
          {name}
        </CellLink>
      )),
    [project],
  )
  const list = useListPage(projectImageListDefinition, { project }, columns)
  const bulk = useBulk('image', list, project)
  const canDownload = useCapability('imageDownloads')
  useProjectImageQuickActions(project)
  return (
    <ListPage
      title="Project Images"
      label="Project images"
      icon={Disc3}
      noun={noun}
      docs={{
        topic: 'images',
        summary:
          'Disks are created from images. A project’s images can be used only in that project until they are promoted.',
      }}
      reads={['imageList']}
      create={{
        label: 'Upload image',
        calls: 'diskCreate',
        icon: Upload,
        path: pathTo('/projects/$project/images-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No images',
        body: 'Create an image to see it here',
        create: 'Upload image',
      }}
      above={
        <>
          {canDownload && (
            <Suspense>
              <ImageDownloads project={project} />
              {list.rows?.length === 0 && (
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

function useProjectImageQuickActions(project: string) {
  useListQuickActions(
    useMemo(
      () => ({
        all: projectImagesQuery(project),
        group: 'Go to project image',
        pathOf: (image: string) => pathTo('/projects/$project/images/$image', { project, image }),
      }),
      [project],
    ),
  )
}
