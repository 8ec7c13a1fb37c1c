/** The due rows: by their alarm, or because their step was cut off. */
import { leaseIsOver } from '../db/leases.ts'
import { rowsOf } from './claims.ts'
import type { ReconciledTable, ReconcilerParts } from './types.ts'

/** Milliseconds between two queries for rows whose step was cut off. */
const ABANDONED_LOOK_MS = 500
/** Rows of a table per query. */
const BATCH = 100

/** Finds the due rows of tables. */
export function createDueRows({
  database: { db, dialect },
  measures,
}: Pick<ReconcilerParts, 'database' | 'measures'>) {
  /** Table → the last query for rows with expired leases, by a monotonic clock. */
  const lookedForAbandoned = new Map<ReconciledTable, number>()
  /** Rows whose step was cut off. Leases last for seconds, so not every pass looks for them. */
  const abandoned = async (table: ReconciledTable): Promise<{ id: string }[]> => {
    const now = performance.now()
    if (now - (lookedForAbandoned.get(table) ?? -Infinity) < ABANDONED_LOOK_MS) return []
    lookedForAbandoned.set(table, now)
    return db
      .selectFrom(rowsOf(table))
      .select('id')
      .where('lease_until', 'is not', null)
      .where(leaseIsOver(dialect, 'lease_until'))
      .limit(BATCH)
      .execute()
  }

  /** The due rows of a table, and when its next row is due. */
  const find = async (table: ReconciledTable, now: Date) => {
    const alarms = db
      .selectFrom(rowsOf(table))
      .select(['id', 'reconcile_at as at'])
      .where('lease_until', 'is', null)
      .orderBy('reconcile_at')
    const time = now.toISOString()
    const found = await db
      .selectFrom(alarms.where('reconcile_at', '<=', time).limit(BATCH).as('due'))
      .selectAll()
      .unionAll(
        db.selectFrom(alarms.where('reconcile_at', '>', time).limit(1).as('later')).selectAll(),
      )
      .execute()
    const ids = (await abandoned(table)).map(({ id }) => id)
    let next = Infinity
    for (const { id, at } of found) {
      if (at! > time) {
        next = Date.parse(at!)
        continue
      }
      ids.push(id)
      measures.found(table, (now.getTime() - Date.parse(at!)) / 1000)
    }
    return { ids, next: ids.length < BATCH ? next : -Infinity }
  }

  return { find }
}

export type DueRows = ReturnType<typeof createDueRows>
