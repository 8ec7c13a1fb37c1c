import { FLEET_ID } from '@steading/api/rules'
import type { WellKnownImage } from '@steading/api/client'
import { Outlet } from '@tanstack/react-router'
import { Disc3, Plus } from 'lucide-react'
import { refetchShown, usePrefetchedQuery, whenReread } from '../../data/api.ts'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { CreateButton } from '../../page/create-action.tsx'
import { pathTo } from '../../data/addresses.ts'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction, confirmDelete } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Table } from '../../ui/table.tsx'
import { Mono } from '../../ui/text.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { catalogQuery } from './queries.ts'

const create = {
  label: 'Add image',
  icon: Plus,
  calls: 'imageCatalogUpdate' as const,
  path: pathTo('/system/image-catalog-new'),
}

const columns: Column<WellKnownImage & { id: string }>[] = [
  { id: 'name', header: 'name', width: 180, cell: ({ name }) => name },
  {
    id: 'architecture',
    header: 'architecture',
    width: 140,
    phone: 'first',
    cell: (one) => one.architecture,
  },
  {
    id: 'user',
    header: 'user',
    width: 120,
    phone: 'second',
    labelled: true,
    cell: ({ user }) => user && <Mono>{user}</Mono>,
  },
  {
    id: 'checksum',
    header: 'checksum',
    width: 120,
    cell: ({ checksum }) => checksum && checksumWords[checksum.type],
  },
  {
    id: 'url',
    header: 'URL',
    cell: ({ url }) => <Mono>{url}</Mono>,
  },
]

const checksumWords = { sha256: 'SHA-256', sha512: 'SHA-512', list: 'by a list' }

/** The well-known images that users of all silos are offered. */
export function ImageCatalogPage() {
  const { data: catalog } = usePrefetchedQuery(catalogQuery)
  const { images } = catalog
  const versions = useVersions('image_catalog', { id: FLEET_ID })
  const replace = useReplacingAction('imageCatalogUpdate', async () => {
    await whenReread()
    addToast('Image catalog updated')
  })
  const seen = { shown: catalog, read: catalogQuery }
  const restore: MenuAction = {
    label: 'Restore default list',
    calls: 'imageCatalogUpdate',
    disabledReason: catalog.isDefault && 'This is the default list',
    onAction: () =>
      confirmAction({
        title: 'Restore default list',
        errorTitle: 'Could not restore the list',
        danger: true,
        body: 'Your changes to the catalog are deleted. The default catalog is restored.',
        ...replace({ body: { images: null } }, seen),
      }),
  }
  const actions = ({ id, ...image }: WellKnownImage & { id: string }): MenuAction[] => [
    {
      label: 'Edit',
      calls: 'imageCatalogUpdate',
      href: pathTo('/system/image-catalog/$known/edit', { known: id }),
    },
    {
      label: 'Remove',
      calls: 'imageCatalogUpdate',
      danger: true,
      onAction: () =>
        confirmDelete({
          kind: 'image',
          name: image.name,
          extra: 'Images that users have made of it stay.',
          ...replace({ body: { images: images.filter(({ name }) => name !== id) } }, seen),
        }),
    },
  ]
  return (
    <>
      <PageHeader title="Image Catalog" icon={<Disc3 strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="image catalog"
          summary="Users make images of files at well-known addresses. The list is the same for all silos."
        />
        <RefreshButton onRefresh={refetchShown} />
        <ActionButtons actions={[...versions.actions, restore]} />
        <CreateButton {...create} />
      </PageHeader>
      {versions.panel}
      <div className="flex flex-col gap-6 pb-6">
        <Card
          title="Well-known images"
          description={
            catalog.isDefault
              ? 'The list that comes with the product'
              : 'The list of this cloud, instead of the one that comes with the product'
          }
        >
          {images.length === 0 ? (
            <CardEmpty
              title="No well-known images"
              body="Users can still download images from addresses that they enter."
            />
          ) : (
            <Table
              label="Well-known images"
              columns={columns}
              rows={images.map((image) => ({ ...image, id: image.name }))}
              actions={actions}
            />
          )}
        </Card>
      </div>
      <Outlet />
    </>
  )
}
