import { ImageChecksum, WebAddress } from '../image-downloads/schemas.ts'
import { imageText } from '../images/schemas.ts'
import { IMAGE_CATALOG_MAX, imageArchitectures } from './rules.ts'
import { boolean, named, oneOf, record, ruledArray } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const ImageArchitecture = named('ImageArchitecture', oneOf(...imageArchitectures))

/** A public image from which users can make their own. */
const WellKnownImage = record('WellKnownImage', {
  /** Shown to users; unique in the list. */
  name: imageText,
  os: imageText,
  version: imageText,
  architecture: ImageArchitecture,
  url: WebAddress,
  checksum: ImageChecksum.nullable(),
  /** The user that its cloud-init makes by default; empty if there is none. */
  user: imageText,
})

const images = ruledArray(WellKnownImage, IMAGE_CATALOG_MAX)

const ImageCatalog = record('ImageCatalog', {
  images,
  /** Whether it is the list of the product, and not one of an operator. */
  is_default: boolean,
})
/** Null restores the list of the product. */
const ImageCatalogUpdate = record('ImageCatalogUpdate', { images: images.nullable() })

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
