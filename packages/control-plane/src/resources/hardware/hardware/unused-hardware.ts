/** Hardware that the engine reports and the control plane does not use. */
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import type { BaseboardId, SeenDisk, SeenRack, SeenSled } from '../../../kernel/ports/hardware.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** The column `seen` of racks. */
export const seenRack = jsonColumn<SeenRack>()

/** Many sleds take long to parse, and change rarely. */
let parsed: { text: string; rack: SeenRack } | undefined

/** The last inventory of a rack; handlers use this instead of asking the engine, and do not change it. */
export function seenIn({ seen }: Pick<Row<'rack'>, 'seen'>): SeenRack {
  if (parsed?.text !== seen) parsed = { text: seen, rack: seenRack.read(seen) }
  return parsed.rack
}

/** The rack in whose last inventory a sled is. */
export async function findRackWith(
  db: Db,
  { part, serial }: BaseboardId,
): Promise<Row<'rack'> | undefined> {
  const racks = await rowsOf(db, 'rack').selectAll().orderBy('its.id').execute()
  return racks.find((rack) =>
    seenIn(rack).sleds.some((sled) => sled.part === part && sled.serial === serial),
  )
}

/** Sleds that were not added, including expunged ones whose decommissioning is finished. */
export async function unusedSleds(db: Db, { sleds }: SeenRack): Promise<SeenSled[]> {
  const known = await db.selectFrom('sled').select('name').where('state', '=', 'active').execute()
  const used = new Set(known.map(({ name }) => name))
  return sleds.filter(({ serial, responding }) => responding && !used.has(serial))
}

export interface WaitingDisk extends SeenDisk {
  sledId: string
}

/** Unused disks in sleds in service. */
export async function unusedDisks(db: Db, { sleds }: SeenRack): Promise<WaitingDisk[]> {
  const known = await db
    .selectFrom('sled')
    .select(['id', 'name'])
    .where('policy', '=', 'in_service')
    .where('responding', '=', 1)
    .execute()
  const ids = new Map(known.map(({ id, name }) => [name, id]))
  const disks = await db
    .selectFrom('physical_disk')
    .select('name')
    .where('policy', '=', 'in_service')
    .execute()
  const used = new Set(disks.map(({ name }) => name))
  return sleds.flatMap((sled) => {
    const sledId = ids.get(sled.serial)
    if (sledId === undefined) return []
    return sled.disks
      .filter(({ serial, healthy }) => healthy && !used.has(serial))
      .map((disk) => ({ ...disk, sledId }))
  })
}
