/** The tags of resources. */
import { inTagOrder, parseTag, tagText } from '@steading/api/rules'
import type { Db } from '../db/database.ts'
import type { TagPlace } from './place.ts'

/** Ids per query. */
const CHUNK = 500

/** Id → the tags of a resource; ids without tags are omitted. */
export async function tagsById(
  db: Db,
  kind: TagPlace['kind'],
  ids: readonly string[],
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await db
      .selectFrom('tag')
      .select(['thing_id', 'key', 'value'])
      .where('kind', '=', kind)
      .where('thing_id', 'in', ids.slice(start, start + CHUNK))
      .execute()
    for (const { thing_id, ...tag } of rows) (found[thing_id] ??= []).push(tagText(tag))
  }
  for (const id of Object.keys(found)) found[id] = inTagOrder(found[id]!)
  return found
}

export const tagsOf = async (db: Db, kind: TagPlace['kind'], id: string): Promise<string[]> =>
  (await tagsById(db, kind, [id]))[id] ?? []

/** Writes the differences between the tags of a resource and the wanted ones. */
export async function writeTags(
  db: Db,
  id: string,
  place: TagPlace,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const ended = before.filter((tag) => !after.includes(tag)).map((tag) => parseTag(tag).key)
  if (ended.length > 0) {
    await db.deleteFrom('tag').where('thing_id', '=', id).where('key', 'in', ended).execute()
  }
  const rows = after
    .filter((tag) => !before.includes(tag))
    .map((tag) => ({ thing_id: id, ...place, ...parseTag(tag) }))
  if (rows.length > 0) await db.insertInto('tag').values(rows).execute()
}
