import { BlockSize } from '../disks/schemas.ts'
import { ByteCount, identity, named, record, resultsPage, string, tagged, uuid } from '../schema.ts'

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
export const ImageResultsPage = resultsPage('Image', Image)
