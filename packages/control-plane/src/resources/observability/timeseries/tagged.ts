/**
 * Series of the resources with some tags. A series belongs to the resources whose ids are in its
 * fields, such as an instance or a disk. Tags are looked up for the series that were read, so that
 * they are those of the moment, and no store of series has to know them.
 */
import { isUuid, parseTag } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** Fields with ids of places rather than of measured resources. */
const places: ReadonlySet<string> = new Set(['project_id', 'silo_id'])

/** Ids per query. */
const CHUNK = 500

interface WithFields {
  fields: Record<string, unknown>
}

/** Ids of the resources to which a series belongs; none for sums over many resources. */
const resourcesOf = ({ fields }: WithFields): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && !places.has(name) && isUuid(value) ? [value.toLowerCase()] : [],
  )

/** Tags that resources must have, in a project or among the resources of the system. */
export interface TagScope {
  /** Separated by commas; a key alone stands for all its values. Null for all resources. */
  tag_filter: string | null
  project_id: string | null
}

/** The ids among some that have all tags. */
async function tagged(
  db: Db,
  { tag_filter, project_id }: TagScope,
  ids: Iterable<string>,
): Promise<Set<string>> {
  let left = [...new Set(ids)]
  const place = project_id === null ? sql`silo_id is null` : sql`project_id = ${project_id}`
  for (const tag of tag_filter!.split(',')) {
    const { key, value } = parseTag(tag)
    const found: string[] = []
    for (let start = 0; start < left.length; start += CHUNK) {
      const { rows } = await sql<{ thing_id: string }>`
        select thing_id from tag
        where thing_id in (${sql.join(left.slice(start, start + CHUNK))})
          and key = ${key} and ${value === '' ? sql`1 = 1` : sql`value = ${value}`}
          and ${place}`.execute(db)
      found.push(...rows.map(({ thing_id }) => thing_id))
    }
    left = found
  }
  return new Set(left)
}

/** Splits series into those of resources with the tags, and the others. */
async function split<Series extends WithFields>(
  db: Db,
  scope: TagScope,
  series: readonly Series[],
): Promise<{ having: Series[]; lacking: Series[] }> {
  const ids = await tagged(db, scope, series.flatMap(resourcesOf))
  const having: Series[] = []
  const lacking: Series[] = []
  for (const one of series) {
    const has = resourcesOf(one).some((id) => ids.has(id))
    ;(has ? having : lacking).push(one)
  }
  return { having, lacking }
}

/** The series of the resources with the tags. */
export const onlyTagged =
  (db: Db, scope: TagScope) =>
  async <Series extends WithFields>(series: Series[]): Promise<Series[]> =>
    scope.tag_filter === null ? series : (await split(db, scope, series)).having

/**
 * Results of a query whose resources have the tags no longer. Sums over many resources are none.
 */
export async function noLongerTagged<Series extends WithFields>(
  db: Db,
  scope: TagScope,
  series: readonly Series[],
): Promise<Series[]> {
  if (scope.tag_filter === null) return []
  const own = series.filter((one) => resourcesOf(one).length > 0)
  return (await split(db, scope, own)).lacking
}
