import type { Wire } from '@steading/api'
import { deletionSentences as says } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import { groupOfOne } from '../../workspace/deletion/groups.ts'
import { type Asker, relate, tell } from '../../workspace/deletion/relations.ts'
import { isFor } from '../../workspace/deletion/seen.ts'
import { thingRows } from '../../workspace/deletion/things.ts'

/**
 * The images of snapshots that belong to an owner. Snapshots that were deleted count, because images
 * made of them still exist.
 */
const madeOf = (owner: 'instance' | 'disk' | 'snapshot' | 'project', pairs: RawBuilder<unknown>) =>
  relate(owner, { kind: 'image', relation: 'stays', pairs, reason: says.kept, elsewhere: true })

madeOf(
  'instance',
  sql`select image.id, disk.instance_id as owner_id from image
    join snapshot on snapshot.id = image.snapshot_id
    join disk on disk.id = snapshot.disk_id and disk.time_deleted is null`,
)
madeOf(
  'disk',
  sql`select image.id, snapshot.disk_id as owner_id from image
    join snapshot on snapshot.id = image.snapshot_id`,
)
madeOf('snapshot', sql`select id, snapshot_id as owner_id from image`)
// The project's own images are part of its contents.
madeOf(
  'project',
  sql`select image.id, snapshot.project_id as owner_id from image
    join snapshot on snapshot.id = image.snapshot_id
    where image.project_id is null or image.project_id != snapshot.project_id`,
)

/** Whether images share the bytes of a snapshot, and whether the caller can read any of these. */
export interface Sharers {
  any: boolean
  seen: boolean
}

/** @param apart an image that does not count */
export async function sharers(
  { db, actor }: Asker,
  snapshotId: string,
  apart = '',
): Promise<Sharers> {
  const images = thingRows(db, 'image')
    .where('its.snapshot_id', '=', snapshotId)
    .where('its.id', '!=', apart)
    .select('its.id')
    .limit(1)
  const [any, seen] = await Promise.all([
    images.executeTakeFirst(),
    images.where(isFor(actor, 'read', 'image')).executeTakeFirst(),
  ])
  return { any: any !== undefined, seen: seen !== undefined }
}

/**
 * What becomes of the bytes: deleted, or kept for images. Images that the caller cannot read are
 * not mentioned.
 */
export function dataGroup(
  thing: { id: string; name: string },
  { any, seen }: Sharers,
  keptFor: string,
): Wire.DeletionGroup[] {
  if (!any) return [groupOfOne('goes', 'data', thing, says.data)]
  return seen ? [groupOfOne('stays', 'data', thing, keptFor)] : []
}

tell('image', async (asker, image) => {
  const source = await asker.db
    .selectFrom('snapshot')
    .innerJoin('image', 'image.snapshot_id', 'snapshot.id')
    .select(['snapshot.id', 'snapshot.time_deleted'])
    .where('image.id', '=', image.id)
    .executeTakeFirst()
  // As long as the snapshot exists, the bytes belong to it.
  if (!source || source.time_deleted === null) return []
  return dataGroup(image, await sharers(asker, source.id, image.id), says.dataOfOthers)
})
