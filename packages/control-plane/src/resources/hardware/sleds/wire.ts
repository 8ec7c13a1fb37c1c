import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { fencingOfHosts, noFencing } from '../host-fencing/change.ts'
import { toWireFencingStatus } from '../host-fencing/wire.ts'

/** An expunged sled no longer has a policy for new instances. */
const toWirePolicy = ({ policy, provision_policy }: Row<'sled'>): Wire.SledPolicy =>
  policy === 'expunged' ? { kind: policy } : { kind: policy, provision_policy }

export const toWireBaseboard = ({
  name: serial,
  part,
  revision,
}: Pick<Row<'sled'>, 'name' | 'part' | 'revision'>): Wire.Baseboard => ({ part, revision, serial })

export const toWireSled = (row: Row<'sled'>): Wire.Sled => ({
  id: row.id,
  baseboard: toWireBaseboard(row),
  policy: toWirePolicy(row),
  rack_id: row.rack_id,
  slot: row.slot,
  state: row.state,
  time_created: row.time_created,
  time_modified: row.time_modified,
  usable_hardware_threads: row.usable_hardware_threads,
  usable_physical_ram: row.usable_physical_ram,
})

/** Sled id → capacity and usage of its disks in service. */
async function storageOf(db: Db, rows: Row<'sled'>[]) {
  if (rows.length === 0) return new Map<string, { usable: number; used: number }>()
  const sums = await db
    .selectFrom('physical_disk')
    .select((eb) => [
      'sled_id',
      eb.fn.sum<number | string>('size').as('usable'),
      eb.fn.sum<number | string>('used').as('used'),
    ])
    .where('sled_id', 'in', idsIn(rows))
    .where('form_factor', '=', 'u2')
    .where('policy', '=', 'in_service')
    .groupBy('sled_id')
    .execute()
  return new Map(
    sums.map(({ sled_id, usable, used }) => [
      sled_id,
      { usable: Number(usable), used: Number(used) },
    ]),
  )
}

/** Sled id → its maintenance. */
async function maintenanceBySled(db: Db, rows: Row<'sled'>[]) {
  const ids = rows.map(({ id }) => id)
  const found = await db
    .selectFrom('sled_maintenance')
    .select(['sled_id', 'reason', 'time_end'])
    .where('sled_id', 'in', ['', ...ids])
    .execute()
  return new Map(found.map(({ sled_id, ...maintenance }) => [sled_id, maintenance]))
}

/** Sled id → the host that an operator has added as it. */
async function hostsOf(db: Db, rows: Row<'sled'>[]) {
  const ids = rows.map(({ id }) => id)
  const hosts = await rowsOf(db, 'host')
    .select(['its.id', 'its.name', 'its.sled_id'])
    .where('its.sled_id', 'in', ['', ...ids])
    .execute()
  const fencing = await fencingOfHosts(db, hosts)
  return new Map(
    hosts.map(({ id, name, sled_id }): [string | null, Wire.AddedHost] => [
      sled_id,
      { id, name, fencing: toWireFencingStatus(fencing.get(id) ?? noFencing(id)) },
    ]),
  )
}

/** Sleds with their usage. */
export async function toWireSledDetails(db: Db, rows: Row<'sled'>[]): Promise<Wire.SledDetails[]> {
  const storage = await storageOf(db, rows)
  const maintenance = await maintenanceBySled(db, rows)
  const hosts = await hostsOf(db, rows)
  return rows.map((row) => {
    const { usable, used } = storage.get(row.id) ?? { usable: 0, used: 0 }
    return {
      ...toWireSled(row),
      name: row.name,
      responding: row.responding === 1,
      added_host: hosts.get(row.id) ?? null,
      updating: row.updating === 1,
      maintenance: maintenance.get(row.id) ?? null,
      cpu_platform: row.cpu_platform,
      used_hardware_threads: row.used_threads,
      used_physical_ram: row.used_ram,
      usable_storage: usable,
      used_storage: used,
    }
  })
}
