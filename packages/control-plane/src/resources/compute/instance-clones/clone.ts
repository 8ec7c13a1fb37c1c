/**
 * Clones instances. One transaction takes the snapshots, and creates the disks and the instance: all
 * or nothing, after all quotas were charged. The reconciler fills the disks, and the clone's own step
 * deletes the snapshots.
 */
import type { Wire } from '@steading/api'
import {
  cloneDiskName,
  cloneMessages,
  cloneWay,
  NAME_MAX,
  quotaMessages,
} from '@steading/api/rules'
import { type Actor, may } from '../../../kernel/authz/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { ifNamed, lookup } from '../../../kernel/lookup.ts'
import { tagsOf, writeTags } from '../../../kernel/tags/tags.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { createSnapshot, requireSnapshottable, secondsOf } from '../../storage/snapshots/create.ts'
import { joinGroups } from '../affinity/members.ts'
import { createInstance } from '../instances/create.ts'
import { settingsOf } from '../instances/settings.ts'
import { ephemeralIpsOf, groupIdsOf, interfacesOf, multicastOf } from './parts.ts'
import type { InstanceCloneDiskTable } from './table.ts'

type Cloning = Context<'instance_clone'>
type DiskRow = Row<'disk'>
type Made = Pick<InstanceCloneDiskTable, 'snapshot_id' | 'temporary'>

/** A disk of the source with the name of its copy. */
interface Chosen {
  disk: DiskRow
  name: string
  /** Selector of an existing snapshot; null takes one now. */
  snapshot: string | null
}

const disksOf = (db: Db, { id }: Row<'instance'>): Promise<DiskRow[]> =>
  rowsOf(db, 'disk').selectAll().where('its.instance_id', '=', id).orderBy('its.slot').execute()

/** All disks of the source, with derived names that are free in the target. */
async function allDisks(
  { db, body }: Cloning,
  source: Row<'instance'>,
  target: Row<'project'>,
  disks: readonly DiskRow[],
): Promise<Chosen[]> {
  const rows = await rowsOf(db, 'disk')
    .select('its.name')
    .where('its.project_id', '=', target.id)
    .execute()
  const taken = new Set(rows.map(({ name }) => name))
  return disks.map((disk) => {
    const name = cloneDiskName(disk.name, source.name, body.name, (one) => taken.has(one))
    taken.add(name)
    return { disk, name, snapshot: null }
  })
}

/**
 * The disks that come along; the boot disk first.
 * @throws ApiError 400 for a disk of another instance, or one that is named twice; 404
 */
async function chooseDisks(
  ctx: Cloning,
  source: Row<'instance'>,
  target: Row<'project'>,
): Promise<Chosen[]> {
  const attached = await disksOf(ctx.db, source)
  const chosen: Chosen[] = []
  if (ctx.body.disks === null) {
    chosen.push(...(await allDisks(ctx, source, target, attached)))
  } else {
    for (const { disk: selector, name, snapshot } of ctx.body.disks) {
      const parents = ifNamed(selector, { project: source.project_id })
      const disk = await lookup(ctx, 'disk', selector, parents)
      if (disk.instance_id !== source.id) {
        throw fail.invalidValue('disks', cloneMessages.noDisk(disk.name))
      }
      if (chosen.some((other) => other.disk.id === disk.id)) {
        throw fail.invalidValue('disks', cloneMessages.twice(disk.name))
      }
      chosen.push({ disk, name, snapshot })
    }
  }
  const isBoot = ({ disk }: Chosen) => disk.id === source.boot_disk_id
  return [...chosen.filter(isBoot), ...chosen.filter((one) => !isBoot(one))]
}

/** A name for a snapshot that is taken for a clone, unique in the project. */
async function snapshotName(db: Db, disk: DiskRow, now: Date): Promise<string> {
  for (let count = 1; ; count++) {
    const end = `-clone-${secondsOf(now)}${count === 1 ? '' : `-${count}`}`
    const name = `${disk.name.slice(0, NAME_MAX - end.length)}${end}`
    const taken = await rowsOf(db, 'snapshot')
      .select('its.id')
      .where('its.project_id', '=', disk.project_id)
      .where('its.name', '=', name)
      .executeTakeFirst()
    if (!taken) return name
  }
}

/** @throws ApiError 400 for a snapshot of another disk; 404 */
async function existingSnapshot(
  ctx: Cloning,
  disk: DiskRow,
  selector: string,
): Promise<Row<'snapshot'>> {
  const parents = ifNamed(selector, { project: disk.project_id })
  const snapshot = await lookup(ctx, 'snapshot', selector, parents)
  if (snapshot.disk_id !== disk.id) {
    throw fail.invalidValue('disks', cloneMessages.otherSnapshot(disk.name))
  }
  return snapshot
}

/** The source of a read-only disk: that of the original, which has to exist. */
async function originOf(db: Db, disk: DiskRow): Promise<Wire.DiskSource> {
  const { snapshot_id, image_id } = disk
  const kind = image_id === null ? 'snapshot' : 'image'
  const found = await db
    .selectFrom(kind)
    .select('id')
    .where('id', '=', image_id ?? snapshot_id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) throw fail.invalidRequest(cloneMessages.noOrigin(disk.name))
  return image_id === null
    ? { type: 'snapshot', snapshot_id: snapshot_id!, read_only: true }
    : { type: 'image', image_id, read_only: true }
}

/** The backend of the copy of a disk. Takes a snapshot of the disk if it needs a new one. */
async function backendOf(
  ctx: Cloning,
  source: Row<'instance'>,
  target: Row<'project'>,
  { disk, snapshot: selector }: Chosen,
): Promise<{ backend: Wire.DiskBackend; made: Made }> {
  const way = cloneWay({ local: disk.disk_type === 'local', readOnly: disk.read_only === 1 })
  if (way !== 'snapshot') {
    if (selector !== null) throw fail.invalidValue('disks', cloneMessages.noSnapshot(disk.name))
    const made = { snapshot_id: null, temporary: 0 } as const
    if (way === 'empty') return { backend: { type: 'local' }, made }
    const disk_source = await originOf(ctx.db, disk)
    return { backend: { type: 'distributed', disk_source }, made }
  }
  let snapshot: Row<'snapshot'>
  if (selector === null) {
    requireSnapshottable(disk)
    snapshot = await createSnapshot(ctx, target.silo_id, disk, {
      name: await snapshotName(ctx.db, disk, ctx.now),
      description: `Taken to clone instance ${source.name}; deleted afterwards`,
    })
  } else {
    snapshot = await existingSnapshot(ctx, disk, selector)
  }
  const disk_source = { type: 'snapshot', snapshot_id: snapshot.id, read_only: false } as const
  return {
    backend: { type: 'distributed', disk_source },
    made: { snapshot_id: snapshot.id, temporary: selector === null ? 1 : 0 },
  }
}

/**
 * The machine is placed by the reconciler, after the disks are filled; a quota that is too small
 * already is refused before.
 * @throws ApiError 507
 */
async function requireQuota(db: Db, siloId: string, { ncpus, memory }: Row<'instance'>) {
  const silo = await readRow(
    db,
    'silo',
    siloId,
    'used_cpus',
    'used_memory',
    'quota_cpus',
    'quota_memory',
  )
  if (silo.used_cpus + ncpus > silo.quota_cpus) {
    throw fail.insufficientCapacity(quotaMessages.cpus)
  }
  if (silo.used_memory + memory > silo.quota_memory) {
    throw fail.insufficientCapacity(quotaMessages.memory)
  }
}

/**
 * The user data of a clone. A guest can read its user data, so those of the source are copied only
 * for callers who may start the source.
 * @throws ApiError 403
 */
function userDataOf(
  actor: Actor,
  body: Wire.InstanceCloneCreate,
  { name, user_data, project_id: projectId }: Row<'instance'>,
): string {
  if (body.user_data !== null && body.user_data !== undefined) return body.user_data
  const mayHave = may(actor, 'modify', 'instance', { siloId: actor.siloId, projectId })
  if (user_data !== '' && !mayHave) throw fail.forbidden(cloneMessages.userData(name))
  return user_data
}

/** The body that creates the instance, with the properties of the source that are not replaced. */
async function bodyOf(
  { db, body, actor }: Cloning,
  source: Row<'instance'>,
  isSameProject: boolean,
  disks: Wire.InstanceDiskAttachment[],
  hasBootDisk: boolean,
): Promise<Wire.InstanceCreate> {
  const groups = isSameProject ? await groupIdsOf(db, source, 'anti_affinity_group') : []
  return {
    name: body.name,
    description: body.description,
    ...settingsOf(source),
    hostname: body.hostname ?? body.name,
    user_data: userDataOf(actor, body, source),
    network_interfaces: body.network_interfaces ?? (await interfacesOf(db, source)),
    external_ips: body.external_ips ?? (await ephemeralIpsOf(db, source)),
    multicast_groups: body.multicast_groups ?? (await multicastOf(db, source)),
    disks: hasBootDisk ? disks.slice(1) : disks,
    boot_disk: hasBootDisk ? disks[0]! : null,
    ssh_public_keys: body.ssh_public_keys ?? null,
    start: body.start,
    anti_affinity_groups: body.anti_affinity_groups ?? groups,
  }
}

/** @throws ApiError 400, 404, or 507 if a quota has no room for all of it */
export async function cloneInstance(
  ctx: Cloning,
  source: Row<'instance'>,
  target: Row<'project'>,
): Promise<Row<'instance'>> {
  const { db, body, actor, now } = ctx
  if (body.start) await requireQuota(db, target.silo_id, source)
  const chosen = await chooseDisks(ctx, source, target)
  const disks: Wire.InstanceDiskAttachment[] = []
  const made: (Made & { name: string })[] = []
  for (const one of chosen) {
    const { backend, made: of } = await backendOf(ctx, source, target, one)
    const { size, description } = one.disk
    disks.push({ type: 'create', name: one.name, description, size, disk_backend: backend })
    made.push({ ...of, name: one.name })
  }
  const isSameProject = target.id === source.project_id
  const hasBootDisk = chosen[0]?.disk.id === source.boot_disk_id
  const wanted = await bodyOf(ctx, source, isSameProject, disks, hasBootDisk)
  const instance = await createInstance(ctx, target, wanted, {
    snapshotsOf: source.project_id,
  })
  const affinity =
    body.affinity_groups ?? (isSameProject ? await groupIdsOf(db, source, 'affinity_group') : [])
  await joinGroups(ctx, 'affinity_group', instance, affinity)
  const place = { kind: 'instance', parent_id: target.id, silo_id: target.silo_id } as const
  await writeTags(
    db,
    instance.id,
    { ...place, project_id: target.id },
    [],
    await tagsOf(db, 'instance', source.id),
  )
  const id = crypto.randomUUID()
  const time = now.toISOString()
  await db
    .insertInto('instance_clone')
    .values({
      id,
      instance_id: instance.id,
      name: instance.name,
      project_id: target.id,
      source_id: source.id,
      source_name: source.name,
      source_project_id: source.project_id,
      user_name: actor.displayName,
      state: 'copying',
      reason: null,
      time_started: time,
      time_finished: null,
      reconcile_at: time,
      ...unclaimed,
    })
    .execute()
  const rows = await db
    .selectFrom('disk')
    .select(['id', 'name'])
    .where('instance_id', '=', instance.id)
    .execute()
  const ids = new Map(rows.map((row) => [row.name, row.id]))
  if (made.length > 0) {
    await db
      .insertInto('instance_clone_disk')
      .values(made.map(({ name, ...of }) => ({ ...of, clone_id: id, disk_id: ids.get(name)! })))
      .execute()
  }
  return instance
}
