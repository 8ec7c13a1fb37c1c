import type { Image } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Disc3, Upload } from 'lucide-react'
import { invalidate } from '../data/api.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { CellLink } from '../ui/link.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { imageColumns } from './columns.tsx'
import { useDeleteImage } from './image-delete.tsx'
import { InterruptedUploads } from './interrupted-uploads.tsx'
import { projectImageListDefinition } from './list.ts'
import { projectImagesQuery } from './queries.ts'

const noun = { one: 'image', many: 'images' }

const PromoteModal = lazy(() =>
  import('./promote.tsx').then((module) => ({ default: module.PromoteModal })),
)

export function ProjectImagesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const [promoting, setPromoting] = useState<Image>()
  const deleteAction = useDeleteImage()
  const actions = (image: Image): MenuAction[] => [
    { label: 'Promote', onAction: () => setPromoting(image) },
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
  useProjectImageQuickActions(project)
  return (
    <>
      <PageHeader title="Project Images" icon={<Disc3 strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="images"
          summary="An image is what disks are made from. Those of a project can be used in it alone, until they are promoted."
        />
        <RefreshButton onRefresh={() => invalidate('imageList')} />
        <LinkButton
          to="/projects/$project/images-new"
          params={{ project }}
          variant="primary"
          icon={<Upload size={16} strokeWidth={1.5} aria-hidden />}
        >
          Upload image
        </LinkButton>
      </PageHeader>
      <ListTable
        label="Project images"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={actions}
        above={<InterruptedUploads project={project} />}
        empty={
          <EmptyState
            icon={<Disc3 size={20} strokeWidth={1.5} aria-hidden />}
            title="No images"
            body="Create an image to see it here"
          />
        }
      />
      <Suspense>
        {promoting && <PromoteModal image={promoting} onDismiss={() => setPromoting(undefined)} />}
      </Suspense>
      <Outlet />
    </>
  )
}

function useProjectImageQuickActions(project: string) {
  const all = useQuery({ ...projectImagesQuery(project), enabled: usePaletteOpen() }).data?.items
  useQuickActions(
    useMemo(
      () => [
        { label: 'Upload image', path: pathTo('/projects/$project/images-new', { project }) },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to project image',
          path: pathTo('/projects/$project/images/$image', { project, image: name }),
        })),
      ],
      [all, project],
    ),
  )
}
