/** The fate of the bytes that a snapshot shares with the images made of it. */
import type { Wire } from '@steading/api'
import { deletionSentences as says } from '@steading/api/rules'
import { groupOfOne } from '../../workspace/deletion/groups.ts'
import type { Reader, Groups } from '../../workspace/deletion/relations.ts'
import { isPermitted } from '../../workspace/deletion/access-conditions.ts'
import { type DeletableRow, deletableRows } from '../../workspace/deletion/deletable-rows.ts'

/** Whether images share the bytes of a snapshot, and whether the caller can read any of these. */
export interface Sharers {
  any: boolean
  seen: boolean
}

/** @param except an image to leave out */
export async function sharers(
  { db, actor }: Reader,
  snapshotId: string,
  except = '',
): Promise<Sharers> {
  const images = deletableRows(db, 'image')
    .where('its.snapshot_id', '=', snapshotId)
    .where('its.id', '!=', except)
    .select('its.id')
    .limit(1)
  const [any, seen] = await Promise.all([
    images.executeTakeFirst(),
    images.where(isPermitted(actor, 'read', 'image')).executeTakeFirst(),
  ])
  return { any: any !== undefined, seen: seen !== undefined }
}

/**
 * The fate of the bytes: deleted, or kept for images. Images that the caller cannot read are not
 * mentioned.
 */
export function dataGroup(
  thing: { id: string; name: string },
  { any, seen }: Sharers,
  keptFor: string,
): Wire.DeletionGroup[] {
  if (!any) return [groupOfOne('goes', 'data', thing, says.data)]
  return seen ? [groupOfOne('stays', 'data', thing, keptFor)] : []
}

/** The fate of the bytes of a deleted image. */
export async function dataOfImage(reader: Reader, image: DeletableRow): Groups {
  const source = await reader.db
    .selectFrom('snapshot')
    .innerJoin('image', 'image.snapshot_id', 'snapshot.id')
    .select(['snapshot.id', 'snapshot.time_deleted'])
    .where('image.id', '=', image.id)
    .executeTakeFirst()
  // As long as the snapshot exists, the bytes belong to it.
  if (!source || source.time_deleted === null) return []
  return dataGroup(image, await sharers(reader, source.id, image.id), says.dataOfOthers)
}
