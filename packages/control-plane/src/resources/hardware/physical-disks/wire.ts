import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'

export const toWirePhysicalDisk = (row: Row<'physical_disk'>): Wire.PhysicalDisk => ({
  id: row.id,
  form_factor: row.form_factor,
  model: row.model,
  policy: { kind: row.policy },
  serial: row.name,
  sled_id: row.sled_id,
  state: row.state,
  time_created: row.time_created,
  time_modified: row.time_modified,
  vendor: row.vendor,
})

/** Physical disks with their positions in the rack. */
export async function toWirePhysicalDiskDetails(
  db: Db,
  rows: Row<'physical_disk'>[],
): Promise<Wire.PhysicalDiskDetails[]> {
  if (rows.length === 0) return []
  const sleds = await db
    .selectFrom('sled')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(rows.map(({ sled_id }) => sled_id))])
    .execute()
  const serials = new Map(sleds.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...toWirePhysicalDisk(row),
    name: row.name,
    sled_serial: serials.get(row.sled_id)!,
    slot: row.slot,
    size: row.size,
    used: row.used,
    healthy: row.healthy === 1,
  }))
}
