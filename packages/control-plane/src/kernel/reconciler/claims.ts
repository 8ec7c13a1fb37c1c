/**
 * Claims of rows. A claim clears the alarm of its row, raises its fence and leases the row to one step;
 * only the step with the newest fence ends it.
 */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import { databaseTime, LEASE_MS, leaseIsOver, RENEW_MS } from '../db/leases.ts'
import type { Database, Reconciled } from '../db/schema.ts'
import { unsynced } from '../db/unsynced.ts'
import type { Outcome, ReconciledTable, ReconcilerParts } from './types.ts'

/** A row that a step has claimed. */
export interface Claim {
  table: ReconciledTable
  id: string
  fence: number
  /** Number of its last steps that failed. */
  failures: number
}

/** The failure columns of a row after a step that succeeded. */
const succeeded = { step_failures: 0, step_failure: null, time_step_failed: null }

/** Milliseconds before a row that failed is tried again: at first, and at most. */
const RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
/**
 * SQL of rows whose steps fail repeatedly: an issue for operators. The words match the condition of
 * their indexes.
 */
export const STEP_FAILING = 'step_failures >= 10'
/** Longest error that is stored with a row, in characters. */
const MAX_FAILURE = 500
/** All these tables have the columns of `Reconciled`; in the types, one of them represents all. */
export const rowsOf = (table: ReconciledTable) => table as 'instance'

/** Makes, keeps and ends claims. */
export function createClaims({
  database: { db, dialect },
  settings,
  clock,
}: Pick<ReconcilerParts, 'database' | 'settings' | 'clock'>) {
  /** Claims a row if it is due. @returns the row, or undefined if it is not due */
  const claim = (table: ReconciledTable, id: string, now: Date) =>
    db
      .updateTable(rowsOf(table))
      .set({
        reconcile_at: null,
        lease_until: databaseTime(dialect, LEASE_MS),
        fence: sql`fence + 1`,
      })
      .where('id', '=', id)
      .where((eb) =>
        eb.or([
          eb('reconcile_at', '<=', now.toISOString()).and('lease_until', 'is', null),
          eb.and([eb('lease_until', 'is not', null), leaseIsOver(dialect, 'lease_until')]),
        ]),
      )
      .returningAll()
      .modifyEnd(unsynced)
      .executeTakeFirst()

  /**
   * Renews the lease of a row until its step is over.
   * @returns a function that stops renewing
   */
  const keep = ({ table, id, fence }: Claim) => {
    const timer = setInterval(() => {
      db.updateTable(rowsOf(table))
        .set({ lease_until: databaseTime(dialect, LEASE_MS) })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('lease_until', 'is not', null)
        .modifyEnd(unsynced)
        .execute()
        .catch((error) => settings.log(`renewing the lease of ${table} ${id} failed`, error))
    }, RENEW_MS)
    return () => clearInterval(timer)
  }

  /** Ends a claim. @returns the row, or undefined if its claim was lost or a column has changed */
  const end = (
    on: Db,
    { table, id, fence, failures }: Claim,
    at: Date | null,
    outcome?: Outcome<'instance'>,
    failed?: Updateable<Reconciled>,
  ) => {
    const counted = failed ?? (failures > 0 ? succeeded : {})
    const alarm = at?.toISOString() ?? null
    let update = on
      .updateTable(rowsOf(table))
      .set({
        ...outcome?.values,
        ...counted,
        lease_until: null,
        ...(alarm && {
          reconcile_at: sql<string>`case when reconcile_at < ${alarm} then reconcile_at else ${alarm} end`,
        }),
      })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('lease_until', 'is not', null)
    for (const [column, value] of Object.entries(outcome?.unchanged ?? {})) {
      update = update.where(sql.ref(column), '=', value)
    }
    return outcome
      ? update.returningAll().executeTakeFirst()
      : (update.returning('reconcile_at').modifyEnd(unsynced).executeTakeFirst() as Promise<
          Selectable<Database['instance']> | undefined
        >)
  }

  /** Ends a claim whose step failed; the row is tried again after a time that doubles. */
  const endFailed = (claimed: Claim, now: Date, error: unknown) => {
    const wait = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** claimed.failures)
    return end(db, claimed, new Date(clock().getTime() + wait), undefined, {
      step_failures: claimed.failures + 1,
      step_failure: (error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE),
      ...(claimed.failures === 0 && { time_step_failed: now.toISOString() }),
    })
  }

  return { claim, keep, end, endFailed }
}

export type Claims = ReturnType<typeof createClaims>
