import type { Wire } from '@steading/api'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'

/** Ids per query. */
const CHUNK = 500

type Place = NonNullable<Wire.UsageReport['lines'][number]['silo']>

/** Silos and projects by their ids; deleted ones have their last names. */
export async function placesOf(
  db: Db,
  some: readonly (string | null)[],
): Promise<ReadonlyMap<string, Place>> {
  const ids = [...new Set(some.filter((id) => id !== null))]
  const places = new Map<string, Place>(ids.map((id) => [id, { id, name: null, deleted: true }]))
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = sql.join(ids.slice(start, start + CHUNK))
    const { rows } = await sql<{ id: string; name: string; is_deleted: number }>`
      select id, name, case when time_deleted is null then 0 else 1 end as is_deleted
        from silo where id in (${chunk})
      union all
      select id, name, case when time_deleted is null then 0 else 1 end as is_deleted
        from project where id in (${chunk})
      union all
      select id, name, 1 as is_deleted from usage_place where id in (${chunk})`.execute(db)
    for (const { id, name, is_deleted } of rows) {
      places.set(id, { id, name, deleted: is_deleted === 1 })
    }
  }
  return places
}
