import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { InstanceRow } from './wire.ts'

/** Id of an instance → the private addresses of its interfaces, those of the primary one first. */
export async function privateIpsOf(db: Db, instanceIds: string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  if (instanceIds.length === 0) return found
  const rows = await db
    .selectFrom('network_interface')
    .select(['instance_id', 'ipv4', 'ipv6'])
    .where('instance_id', 'in', instanceIds)
    .orderBy('is_primary', 'desc')
    .orderBy('slot')
    .execute()
  for (const { instance_id, ipv4, ipv6 } of rows) {
    const ips = [ipv4, ipv6].filter((ip) => ip !== null)
    found.set(instance_id, [...(found.get(instance_id) ?? []), ...ips])
  }
  return found
}

/** Id of a boot disk → the id of the image it was created from. */
export async function imagesOfBootDisks(
  db: Db,
  rows: readonly Pick<InstanceRow, 'boot_disk_id'>[],
): Promise<Map<string, string>> {
  const disks = rows.flatMap(({ boot_disk_id }) => boot_disk_id ?? [])
  if (disks.length === 0) return new Map()
  const found = await db
    .selectFrom('disk')
    .select(['id', 'image_id'])
    .where('id', 'in', disks)
    .execute()
  return new Map(found.flatMap(({ id, image_id }) => (image_id ? [[id, image_id]] : [])))
}

/** Id of a sled → its reference, of the sleds of some instances. */
export async function sledsOf(
  db: Db,
  rows: readonly Pick<InstanceRow, 'sled_id'>[],
): Promise<Map<string, Wire.SledReference>> {
  const ids = [...new Set(rows.flatMap(({ sled_id }) => sled_id ?? []))]
  if (ids.length === 0) return new Map()
  const found = await db
    .selectFrom('sled')
    .select(['id', 'name as serial'])
    .where('id', 'in', ids)
    .execute()
  return new Map(found.map((sled) => [sled.id, sled]))
}
