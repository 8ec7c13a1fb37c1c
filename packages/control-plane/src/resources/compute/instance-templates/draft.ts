/** Describes an instance as the beginning of a template. */
import type { Wire } from '@steading/api'
import { cloneDiskName, NAME_VARIABLE } from '@steading/api/rules'
import { escaped } from '@steading/api/templates'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { ephemeralIpsOf, groupIdsOf, interfacesOf, multicastOf } from '../instance-clones/parts.ts'

type DiskRow = Row<'disk'>

/** Stands for the name of the clone in the name of a disk; replaced by the variable. */
const PLACE = 'n'

/** The name of a disk, with the variable for the name of the instance in it. */
const diskName = (disk: DiskRow, { name }: Row<'instance'>): string =>
  `\${${NAME_VARIABLE}}${cloneDiskName(disk.name, name, PLACE).slice(PLACE.length)}`

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

async function diskOf(
  db: Db,
  disk: DiskRow,
  instance: Row<'instance'>,
): Promise<Wire.InstanceDiskAttachment> {
  const { description, size } = disk
  const common = { type: 'create' as const, name: diskName(disk, instance), description, size }
  if (disk.disk_type === 'local') return { ...common, disk_backend: { type: 'local' } }
  const disk_source = await sourceOf(db, disk)
  return { ...common, disk_backend: { type: 'distributed', disk_source } }
}

/** Texts of the instance are no variables. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return escaped(value)
  if (Array.isArray(value)) return value.map(literal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, literal(inner)]))
}

/**
 * The stored form of an instance. Its user data, which may contain secrets, and its SSH keys, which
 * belong to a user, are left away; so are floating IPs, which only one instance has.
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
    if (disk !== boot) others.push(await diskOf(db, disk, instance))
  }
  const fixed = literal({
    description: instance.description,
    ncpus: instance.ncpus,
    memory: instance.memory,
    network_interfaces: await interfacesOf(db, instance),
    external_ips: await ephemeralIpsOf(db, instance),
    multicast_groups: await multicastOf(db, instance),
    auto_restart_policy: instance.auto_restart_policy,
    anti_affinity_groups: await groupIdsOf(db, instance, 'anti_affinity_group'),
    cpu_platform: instance.cpu_platform,
    enable_jumbo_frames: instance.enable_jumbo_frames === 1,
    start: true,
  }) as Record<string, unknown>
  return {
    instance: {
      ...fixed,
      boot_disk: boot ? await diskOf(db, boot, instance) : null,
      disks: others,
    },
  }
}
