import type { StoredKind } from '../../../kernel/kinds.ts'
import { imageDownloadTables } from './table.ts'

export const image_download: StoredKind<'image_download'> = {
  tables: imageDownloadTables,
  // A deleted download has no row.
  live: '1 = 1',
}
