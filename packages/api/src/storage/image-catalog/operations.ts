import { ImageCatalog, ImageCatalogUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Well-known images, one list for all silos. */
export const imageCatalogOperations = usual('fleet', {
  item: ImageCatalog,
  id: 'image_catalog',
  path: '/x/v1/image-catalog',
})({
  image_catalog_view: {
    summary: 'List the well-known images',
    permission: 'session',
    evenIfLimited: true,
  },
  image_catalog_update: {
    summary: 'Replace the list of well-known images',
    audited: { kind: 'fleet' },
    body: ImageCatalogUpdate,
    versioned: 'image_catalog',
  },
})
