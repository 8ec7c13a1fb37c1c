/** The capacity provisioned in a silo, a project or the whole fleet over time. */
import { type ProvisionedMetric } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { ProvisionedTable } from './table.ts'

export interface Point {
  time: string
  value: number
}

/** Range of points: from the start on, and before the end. */
export interface Wanted {
  start: string
  end: string
  descending: boolean
  limit: number
}

const columns = {
  cpus_provisioned: 'cpus',
  ram_provisioned: 'memory',
  virtual_disk_space_provisioned: 'storage',
} as const satisfies Record<ProvisionedMetric, keyof ProvisionedTable>

/** The points of one silo or project, as recorded. */
export function pointsOfOne(
  db: Db,
  { kind, id }: { kind: ProvisionedTable['kind']; id: string },
  metric: ProvisionedMetric,
  { start, end, descending, limit }: Wanted,
): Promise<Point[]> {
  return db
    .selectFrom('provisioned')
    .select(['time', `${columns[metric]} as value`])
    .where('kind', '=', kind)
    .where('target_id', '=', id)
    .where('time', '>=', start)
    .where('time', '<', end)
    .orderBy('time', descending ? 'desc' : 'asc')
    .limit(limit)
    .execute()
}

/**
 * The points of the fleet: the sum over all silos whenever one of them changed. No row holds it,
 * because all transactions of the fleet would wait for each other at that row.
 */
export async function pointsOfFleet(
  db: Db,
  metric: ProvisionedMetric,
  { start, end, descending, limit }: Wanted,
): Promise<Point[]> {
  const column = columns[metric]
  const times = await db
    .selectFrom('provisioned')
    .select('time')
    .distinct()
    .where('kind', '=', 'silo')
    .where('time', '>=', start)
    .where('time', '<', end)
    .orderBy('time', descending ? 'desc' : 'asc')
    .limit(limit)
    .execute()
  if (times.length === 0) return []
  const [first, last] = [times[0]!.time, times.at(-1)!.time].toSorted() as [string, string]
  const changes = await db
    .selectFrom('provisioned')
    .select(['target_id', 'time', `${column} as value`])
    .where('kind', '=', 'silo')
    .where('time', '>=', first)
    .where('time', '<=', last)
    .orderBy('time')
    .execute()
  const used = await usedBefore(db, column, first)
  let sum = [...used.values()].reduce((all, value) => all + value, 0)
  const sums = new Map<string, number>()
  for (const { target_id, time, value } of changes) {
    sum += value - (used.get(target_id) ?? 0)
    used.set(target_id, value)
    sums.set(time, sum)
  }
  const points = [...sums].map(([time, value]) => ({ time, value }))
  return descending ? points.toReversed() : points
}

/**
 * Silo id → its use right before a moment, including deleted silos. The silos are found by a skip
 * scan of the key.
 */
async function usedBefore(
  db: Db,
  column: 'cpus' | 'memory' | 'storage',
  time: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; value: number | null }>`
    with recursive silos(id) as (
      select min(target_id) from provisioned where kind = 'silo'
      union all
      select (select min(target_id) from provisioned
        where kind = 'silo' and target_id > silos.id)
      from silos where id is not null
    )
    select id, (select ${sql.ref(column)} from provisioned as its
      where kind = 'silo' and its.target_id = silos.id and its.time < ${time}
      order by its.time desc limit 1) as value
    from silos where id is not null`.execute(db)
  return new Map(rows.map(({ id, value }) => [id, value ?? 0]))
}
