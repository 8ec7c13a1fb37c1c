import { rowsOf } from '../../../kernel/reconciler/claims.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'

/**
 * Number of rows by kind that the reconciler should have handled by now; kinds without any are left
 * out.
 */
export async function overdueRows({
  database,
  reconciler,
  clock,
}: Pick<ControlPlaneServices, 'database' | 'reconciler' | 'clock'>) {
  const now = clock()
  const found = await Promise.all(
    reconciler.tables.map(async (kind) => {
      const { count, oldest } = await database.db
        .selectFrom(rowsOf(kind))
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          eb.fn.min('reconcile_at').as('oldest'),
        ])
        .where('lease_until', 'is', null)
        .where('reconcile_at', '<=', now.toISOString())
        .executeTakeFirstOrThrow()
      const waited = oldest === null ? 0 : now.getTime() - Date.parse(oldest)
      return { kind, count: Number(count), seconds: waited / 1000 }
    }),
  )
  return found.filter(({ count }) => count > 0)
}
