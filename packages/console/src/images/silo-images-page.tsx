import type { Image } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Disc3 } from 'lucide-react'
import { invalidate } from '../data/api.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { Button } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { CellLink } from '../ui/link.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { imageColumns } from './columns.tsx'
import { useDeleteImage } from './image-delete.tsx'
import { siloImageListDefinition } from './list.ts'
import { siloImagesQuery } from './queries.ts'

const noun = { one: 'image', many: 'images' }

const PromoteForm = lazy(() =>
  import('./silo-forms.tsx').then((module) => ({ default: module.PromoteForm })),
)
const DemoteForm = lazy(() =>
  import('./silo-forms.tsx').then((module) => ({ default: module.DemoteForm })),
)

const columns = imageColumns(({ name }) => (
  <CellLink to="/images/$image" params={{ image: name }}>
    {name}
  </CellLink>
))

/** `promote` one of some project, or demote this one. */
type Open = 'promote' | Image

export function SiloImagesPage() {
  const list = useListPage(siloImageListDefinition, {}, columns)
  const bulk = useBulk('image', list)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const deleteAction = useDeleteImage()
  const actions = (image: Image): MenuAction[] => [
    { label: 'Demote', onAction: () => setOpen(image) },
    deleteAction(image),
  ]
  useSiloImageQuickActions(setOpen)
  return (
    <>
      <PageHeader title="Silo Images" icon={<Disc3 strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="images"
          summary="An image is what disks are made from. Those of the silo can be used in all of its projects."
        />
        <RefreshButton onRefresh={() => invalidate('imageList')} />
        <Button variant="primary" onClick={() => setOpen('promote')}>
          Promote image
        </Button>
      </PageHeader>
      <ListTable
        label="Silo images"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={actions}

        empty={
          <EmptyState
            icon={<Disc3 size={20} strokeWidth={1.5} aria-hidden />}
            title="No images"
            body="Promote an image to see it here"
          />
        }
      />
      <Suspense>
        {open === 'promote' && <PromoteForm onDismiss={close} />}
        {typeof open === 'object' && <DemoteForm image={open} onDismiss={close} />}
      </Suspense>
      <Outlet />
    </>
  )
}

function useSiloImageQuickActions(open: (what: Open) => void) {
  const all = useQuery({ ...siloImagesQuery, enabled: usePaletteOpen() }).data?.items
  useQuickActions(
    useMemo(
      () => [
        { label: 'Promote image', onAction: () => open('promote') },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to silo image',
          path: pathTo('/images/$image', { image: name }),
        })),
      ],
      [all, open],
    ),
  )
}
