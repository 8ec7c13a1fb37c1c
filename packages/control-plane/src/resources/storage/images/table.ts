import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
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
   * The snapshot it was made of. The image shares the bytes of the snapshot, which stay when the
   * snapshot is deleted. Null for an image without one, which reads as zeros.
   */
  snapshot_id: string | null
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    image: ImageTable
  }
}

export const imageTables: StoredTables = {
  image: {
    marked: true,
    within: { silo_id: 'silo', project_id: 'project' },
    origins: { snapshot_id: 'snapshot' },
    names: {
      image_project_name: kinds.image.namedType,
      image_silo_name: kinds.silo_image.namedType,
    },
  },
}
