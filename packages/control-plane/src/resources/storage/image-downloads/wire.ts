import type { Wire } from '@steading/api'
import { imageDownloadIsActive } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { toWireConversion } from '../disks/conversion.ts'
import { checksumColumn } from './table.ts'

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
    id: row.id,
    name: row.name,
    description: row.description,
    time_created: row.time_created,
    project_id: row.project_id,
    os: row.os,
    version: row.version,
    url: row.url,
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
