import type { Operation } from '../../operation.ts'
import { ImageCatalog, ImageCatalogUpdate } from './schemas.ts'

const tags = ['extensions']

/** Well-known images, one list for all silos. */
export const imageCatalogOperations = {
  image_catalog_view: {
    method: 'GET',
    path: '/x/v1/image-catalog',
    tags,
    summary: 'List the well-known images',
    permission: 'session',
    evenIfLimited: true,
    success: { status: 200, schema: ImageCatalog },
  },
  image_catalog_update: {
    method: 'PUT',
    path: '/x/v1/image-catalog',
    tags,
    summary: 'Replace the list of well-known images',
    permission: { fleet: 'modify' },
    audited: { kind: 'fleet' },
    body: ImageCatalogUpdate,
    versioned: 'image_catalog',
    success: { status: 200, schema: ImageCatalog },
  },
} as const satisfies Record<string, Operation>
