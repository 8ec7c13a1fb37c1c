import { BlockSize } from '../disks/schemas.ts'
import { imageFormats } from './formats.ts'
import { IMAGE_TEXT_MAX, imageTextProblem } from './rules.ts'
import {
  ByteCount,
  identity,
  identityCreate,
  named,
  oneOf,
  record,
  string,
  tagged,
  text,
  uuid,
} from '../../schema.ts'

/** Operating system and version: free text of at most 64 characters. */
export const imageText = text(IMAGE_TEXT_MAX, {}, imageTextProblem)

export const ImageFormat = named('ImageFormat', oneOf(...imageFormats))

export const Digest = named('Digest', tagged('type', { sha256: { value: string } }))

export const Image = record('Image', {
  ...identity,
  /** Null for an image of the whole silo. */
  project_id: uuid.nullable().optional(),
  os: string,
  version: string,
  size: ByteCount,
  block_size: BlockSize,
  digest: Digest.nullable().optional(),
})

export const ImageSource = named('ImageSource', tagged('type', { snapshot: { id: uuid } }))

export const ImageCreate = record('ImageCreate', {
  ...identityCreate,
  os: imageText,
  version: imageText,
  source: ImageSource,
})
