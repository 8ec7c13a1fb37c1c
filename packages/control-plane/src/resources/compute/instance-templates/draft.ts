/** Describes an instance as the beginning of a template. */
import type { Wire } from '@steading/api'
import { templateOf } from '@steading/api/templates'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import { settingsOf } from '../instances/settings.ts'
import { ephemeralIpsOf, groupIdsOf, interfacesOf, multicastOf } from '../instance-clones/parts.ts'

type DiskRow = Row<'disk'>

/** The source of a disk that still exists; an empty disk otherwise. */
async function sourceOf(db: Db, disk: DiskRow): Promise<Wire.DiskSource> {
  const { image_id, snapshot_id, block_size } = disk
  for (const [kind, id] of [
    ['image', image_id],
    ['snapshot', snapshot_id],
  ] as const) {
    if (id === null) continue
    const found = await db
      .selectFrom(kind)
      .select('id')
      .where('id', '=', id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (!found) continue
    const read_only = disk.read_only === 1
    return kind === 'image'
      ? { type: 'image', image_id: id, read_only }
      : { type: 'snapshot', snapshot_id: id, read_only }
  }
  return { type: 'blank', block_size }
}

async function diskOf(db: Db, disk: DiskRow): Promise<Wire.InstanceDiskAttachment> {
  const { name, description, size } = disk
  const common = { type: 'create' as const, name, description, size }
  if (disk.disk_type === 'local') return { ...common, disk_backend: { type: 'local' } }
  const disk_source = await sourceOf(db, disk)
  return { ...common, disk_backend: { type: 'distributed', disk_source } }
}

/**
 * The stored form of an instance, without its user data, which may contain secrets.
 */
export async function draftOf(
  db: Db,
  instance: Row<'instance'>,
): Promise<Wire.InstanceTemplateDraft> {
  const disks = await rowsOf(db, 'disk')
    .selectAll()
    .where('its.instance_id', '=', instance.id)
    .orderBy('its.slot')
    .execute()
  const boot = disks.find(({ id }) => id === instance.boot_disk_id)
  const others: Wire.InstanceDiskAttachment[] = []
  for (const disk of disks) {
    if (disk !== boot) others.push(await diskOf(db, disk))
  }
  const body = {
    ...pick(instance, 'name', 'description'),
    ...settingsOf(instance),
    network_interfaces: await interfacesOf(db, instance),
    external_ips: await ephemeralIpsOf(db, instance),
    multicast_groups: await multicastOf(db, instance),
    boot_disk: boot ? await diskOf(db, boot) : null,
    disks: others,
    start: true,
    anti_affinity_groups: await groupIdsOf(db, instance, 'anti_affinity_group'),
  } satisfies Partial<Wire.InstanceCreate>
  return { instance: templateOf(body) }
}
