import { ImageChecksum, WebAddress } from '../image-downloads/schemas.ts'
import { imageText } from '../images/schemas.ts'
import { IMAGE_CATALOG_MAX, imageArchitectures } from './rules.ts'
import { boolean, named, oneOf, record, ruledArray } from '../../schema.ts'

const ImageArchitecture = named('ImageArchitecture', oneOf(...imageArchitectures))

/** A public image from which users can make their own. */
export const WellKnownImage = record('WellKnownImage', {
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

export const ImageCatalog = record('ImageCatalog', {
  images,
  /** Whether it is the list of the product, and not one of an operator. */
  is_default: boolean,
})
/** Null restores the list of the product. */
export const ImageCatalogUpdate = record('ImageCatalogUpdate', { images: images.nullable() })
