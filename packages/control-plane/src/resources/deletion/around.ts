/** Describes what the deletion of one thing does to the things related to it. */
import type { Wire } from '@steading/api'
import {
  deletionSentences as says,
  deletionRule,
  instanceActions,
  type JobThingKind,
  type KindName,
} from '@steading/api/rules'
import { type SelectQueryBuilder, sql } from 'kysely'
import { may } from '../../kernel/authz/actor.ts'
import type { Work } from '../../kernel/work.ts'
import type { Database } from '../../kernel/db/schema.ts'
import type { Row } from '../../kernel/kinds.ts'
import { groupOf, groupOfOne } from './groups.ts'
import { imageFor, readableDisk } from './seen.ts'
import { type Its, thingRows } from './things.ts'

type Groups = Promise<Wire.DeletionGroup[][]>
type Asker = Pick<Work, 'db' | 'actor'>

/** Ids, from any table. */
type Ids = SelectQueryBuilder<Database, never, { id: string }>

/** Whether the caller may delete things of a kind that are in a project. */
const mayDelete = ({ actor }: Asker, kind: KindName, projectId: string): boolean =>
  may(actor, 'modify', kind, { siloId: actor.siloId, projectId })

/** Rows of a table that have no deletion mark. */
const rowsIn = ({ db }: Asker, table: 'network_interface' | 'external_ip'): Its =>
  db.selectFrom(`${table} as its`) as unknown as Its

const among = (rows: Its, column: string, ids: unknown): Its =>
  rows.where(column as 'its.id', 'in', ids as Ids)

/** The group of snapshots of disks; snapshots stay when their disk is deleted. */
const snapshotsOf = (asker: Asker, disks: unknown, canGo: boolean) =>
  groupOf({
    relation: 'stays',
    kind: 'snapshot',
    rows: among(thingRows(asker.db, 'snapshot'), 'its.disk_id', disks),
    reason: says.kept,
    canGo,
  })

/**
 * Images made of snapshots that the caller can read: those that may be deleted along, and others.
 * @param apartFrom a project whose own images are left out
 */
export async function imagesOf(
  asker: Asker,
  snapshots: unknown,
  canGo: boolean,
  apartFrom?: string,
) {
  const { db, actor } = asker
  const seen = among(thingRows(db, 'image'), 'its.snapshot_id', snapshots)
    .where(imageFor(actor, 'read'))
    .where((eb) =>
      eb.or([eb('its.project_id', 'is', null), eb('its.project_id', '!=', apartFrom ?? '')]),
    )
  const mine = imageFor(actor, 'modify')
  const image = { relation: 'stays', kind: 'image', reason: says.kept } as const
  if (!canGo) return groupOf({ ...image, rows: seen })
  return [
    ...(await groupOf({ ...image, rows: seen.where(mine), canGo })),
    ...(await groupOf({ ...image, rows: seen.where((eb) => eb.not(mine(eb))) })),
  ]
}

/**
 * Disks made of a snapshot or an image, which have data of their own; with their project, which may
 * be another one.
 */
function disksMadeOf({ db, actor }: Asker, source: 'snapshot_id' | 'image_id', id: string) {
  const project = sql<string>`(select name from project where project.id = its.project_id)`
  return groupOf({
    relation: 'stays',
    kind: 'disk',
    rows: thingRows(db, 'disk').where(`its.${source}`, '=', id).where(readableDisk(actor)),
    reason: says.kept,
    ...(source === 'image_id' ? { detail: project } : {}),
  })
}

export async function aroundInstance(asker: Asker, instance: Row<'instance'>): Groups {
  const { db } = asker
  const { id, project_id } = instance
  const can = mayDelete(asker, 'instance', project_id)
  const on = (rows: Its) => rows.where('its.instance_id', '=', id)
  const obstacle = deletionRule('instance').obstacle!({ state: instance.run_state })
  const memberships = (['affinity_group', 'anti_affinity_group'] as const).map((kind) =>
    groupOf({
      relation: 'goes',
      kind: `${kind}_member`,
      rows: among(
        thingRows(db, kind),
        'its.id',
        db.selectFrom('affinity_group_member').select('group_id').where('instance_id', '=', id),
      ),
      reason: says.membership,
    }),
  )
  const disks = () =>
    db
      .selectFrom('disk')
      .select('disk.id')
      .where('disk.instance_id', '=', id)
      .where('disk.time_deleted', 'is', null)
  const attached = (kind: 'disk' | 'floating_ip', detail: ReturnType<typeof sql<string | null>>) =>
    groupOf({
      relation: 'stays',
      kind,
      rows: on(thingRows(db, kind)),
      reason: says.detached,
      canGo: can && mayDelete(asker, kind, project_id),
      detail,
    })
  const boots = sql<string | null>`case when its.id = ${instance.boot_disk_id} then 'boot disk' end`
  return Promise.all([
    obstacle
      ? [
          groupOfOne(
            'blocks',
            'instance',
            instance,
            obstacle.reason,
            can && obstacle.steps.length > 0,
            instance.run_state,
          ),
        ]
      : [],
    groupOf({
      relation: 'goes',
      kind: 'network_interface',
      rows: on(rowsIn(asker, 'network_interface')),
      reason: says.network_interface,
      detail: sql`coalesce(its.ipv4, its.ipv6)`,
    }),
    groupOf({
      relation: 'goes',
      kind: 'ephemeral_ip',
      rows: on(rowsIn(asker, 'external_ip')).where('its.kind' as 'its.id', '=', 'ephemeral'),
      reason: says.ephemeral_ip,
      name: 'its.ip',
    }),
    ...memberships,
    instance.vm_id === null
      ? []
      : [groupOfOne('goes', 'serial_console', instance, says.serial_console)],
    attached('disk', boots),
    attached('floating_ip', sql`its.ip`),
    snapshotsOf(asker, disks(), can && mayDelete(asker, 'snapshot', project_id)),
    imagesOf(
      asker,
      db.selectFrom('snapshot').select('snapshot.id').where('disk_id', 'in', disks()),
      can,
    ),
  ])
}

/** Why a disk cannot be deleted now: its attachment, or its state. */
async function inWayOfDisk({ db }: Asker, disk: Row<'disk'>, can: boolean) {
  const holder =
    disk.instance_id === null
      ? undefined
      : await db
          .selectFrom('instance')
          .select(['id', 'name', 'run_state', 'boot_disk_id'])
          .where('id', '=', disk.instance_id)
          .executeTakeFirst()
  const obstacle = deletionRule('disk').obstacle!({
    state: disk.state,
    holder: holder && { state: holder.run_state, boots: holder.boot_disk_id === disk.id },
  })
  if (!obstacle) return []
  const { reason, steps } = obstacle
  const canGo = can && steps.length > 0
  if (holder && disk.state === 'attached') {
    const stop = steps.includes('stop') ? `. ${instanceActions.detachDisk.otherwise}` : ''
    return [groupOfOne('blocks', 'instance', holder, reason + stop, canGo, holder.run_state)]
  }
  const open = steps.length > 0 ? `${says.importOpen}. ` : ''
  return [groupOfOne('blocks', 'disk', disk, open + reason, canGo, disk.state)]
}

export async function aroundDisk(asker: Asker, disk: Row<'disk'>): Groups {
  const can = mayDelete(asker, 'disk', disk.project_id)
  const snapshots = asker.db.selectFrom('snapshot').select('id').where('disk_id', '=', disk.id)
  return Promise.all([
    inWayOfDisk(asker, disk, can),
    snapshotsOf(asker, [disk.id], can && mayDelete(asker, 'snapshot', disk.project_id)),
    imagesOf(asker, snapshots, can),
  ])
}

/**
 * Whether there are images that share the bytes of a snapshot, apart from one, and whether the
 * caller can read any of them.
 */
async function sharers({ db, actor }: Asker, snapshotId: string, apart = '') {
  const images = thingRows(db, 'image')
    .where('its.snapshot_id', '=', snapshotId)
    .where('its.id', '!=', apart)
    .select('its.id')
    .limit(1)
  const [any, seen] = await Promise.all([
    images.executeTakeFirst(),
    images.where(imageFor(actor, 'read')).executeTakeFirst(),
  ])
  return { any: any !== undefined, seen: seen !== undefined }
}

/**
 * What becomes of the bytes: deleted, or kept for images. Images that the caller cannot read are
 * not mentioned.
 */
function dataGroup(
  thing: { id: string; name: string },
  { any, seen }: { any: boolean; seen: boolean },
  keptFor: string,
): Wire.DeletionGroup[] {
  if (!any) return [groupOfOne('goes', 'data', thing, says.data)]
  return seen ? [groupOfOne('stays', 'data', thing, keptFor)] : []
}

export async function aroundSnapshot(asker: Asker, snapshot: Row<'snapshot'>): Groups {
  const { id, state, project_id } = snapshot
  const obstacle = deletionRule('snapshot').obstacle!({ state })
  return Promise.all([
    obstacle ? [groupOfOne('blocks', 'snapshot', snapshot, obstacle.reason, false, state)] : [],
    dataGroup(snapshot, await sharers(asker, id), says.dataOfImages),
    imagesOf(asker, [id], mayDelete(asker, 'snapshot', project_id)),
    disksMadeOf(asker, 'snapshot_id', id),
  ])
}

export async function aroundImage(asker: Asker, image: Row<'image'>): Groups {
  const { db, actor } = asker
  const source =
    image.snapshot_id === null
      ? undefined
      : await db
          .selectFrom('snapshot')
          .select(['id', 'name', 'project_id', 'time_deleted'])
          .where('id', '=', image.snapshot_id)
          .executeTakeFirst()
  const scope = { siloId: actor.siloId, projectId: source?.project_id }
  const isThere = source !== undefined && source.time_deleted === null
  return Promise.all([
    // As long as the snapshot exists, the bytes belong to it.
    source && !isThere
      ? dataGroup(image, await sharers(asker, source.id, image.id), says.dataOfOthers)
      : [],
    isThere && may(actor, 'read', 'snapshot', scope)
      ? [groupOfOne('stays', 'snapshot' satisfies JobThingKind, source, says.kept)]
      : [],
    disksMadeOf(asker, 'image_id', image.id),
  ])
}
