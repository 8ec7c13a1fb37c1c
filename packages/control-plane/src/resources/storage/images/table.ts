import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface ImageTable extends Listed, SoftDeleted {
  silo_id: string
  /** Null for an image of the whole silo. */
  project_id: string | null
  os: string
  version: string
  size: number
  block_size: Wire.BlockSize
  /**
   * The snapshot that the image was made of. The image shares its bytes, which stay when the
   * snapshot is deleted. Null for an image without one, which reads as zeros.
   */
  snapshot_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    image: ImageTable
  }
}
