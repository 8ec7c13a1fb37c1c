import { type Checksum, type ImageDownloadState, imageDownloadIsActive } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { Flag, Reconciled } from '../../../kernel/db/schema.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row, StoredKind } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import { toWireConversion } from '../disks/conversion.ts'

/** An image on its way from a URL: at first a disk, then its snapshot, then the image. */
export interface ImageDownloadTable extends Reconciled {
  id: string
  name: string
  description: string
  os: string
  version: string
  /** The project of the disk, and of the image unless that is for the whole silo. */
  project_id: string
  silo_id: string
  for_silo: Flag
  raw_disk: Flag
  /** The user who started it, and in whose name the image is made. */
  author_id: string
  /** The access token with limits by which it was started; see {@link Mandate}. */
  token_id: string | null
  url: string
  /** JSON. */
  checksum: string | null
  block_size: Wire.BlockSize | null
  state: ImageDownloadState
  /** The disk and the snapshot of the import; null once they are deleted. */
  disk_id: string | null
  snapshot_id: string | null
  /** Bytes of the file; null until the server has told it. */
  size: number | null
  /** Bytes from the beginning that are stored in the disk. */
  received: number
  /** The most bytes that any attempt has stored: only more is progress. */
  furthest: number
  /** Identifies the version of the file that is being stored. */
  validator: string | null
  /** The checksum that the file must have. JSON. */
  wanted: string | null
  /** Attempts since the last progress. */
  attempts: number
  problem: string | null
  image_id: string | null
  time_created: string
  time_started: string
  time_finished: string | null
}

export const checksumColumn = jsonColumn<Wire.ImageChecksum>()
export const wantedColumn = jsonColumn<Checksum>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    image_download: ImageDownloadTable
  }
}

export type DownloadRow = Row<'image_download'>

/** Downloads in answers, each with the conversion of its disk. */
export async function toWireDownloads(
  db: Db,
  rows: readonly DownloadRow[],
): Promise<Wire.ImageDownload[]> {
  const disks = rows.flatMap(({ disk_id: id, state }) =>
    id !== null && imageDownloadIsActive(state) ? [id] : [],
  )
  const conversions =
    disks.length === 0
      ? []
      : await db.selectFrom('disk_conversion').selectAll().where('disk_id', 'in', disks).execute()
  return rows.map((row) => ({
    ...pick(row, 'id', 'name', 'description', 'time_created', 'project_id', 'os', 'version', 'url'),
    checksum: row.checksum === null ? null : checksumColumn.read(row.checksum),
    block_size: row.block_size,
    for_silo: row.for_silo === 1,
    raw_disk: row.raw_disk === 1,
    state: row.state,
    size: row.size,
    received: row.received,
    conversion: toWireConversion(conversions.find(({ disk_id: id }) => id === row.disk_id)),
    problem: row.problem,
    image_id: row.image_id,
    time_finished: row.time_finished,
  }))
}

export const image_download: StoredKind<'image_download'> = {
  tables: {
    image_download: { actsLater: 'mandate', partOf: { project_id: 'project' } },
  },
  // A deleted download has no row.
  live: '1 = 1',
}
