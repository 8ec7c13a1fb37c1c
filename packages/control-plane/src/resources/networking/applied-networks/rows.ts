/** Rows of networks that an engine applies: of machines, of VPCs, and of the hosts of uplinks. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import type { Database, Reconciled } from '../../../kernel/db/schema.ts'

/** The network of a machine or a VPC; what is gone from the engine has no row. */
export interface AppliedNetwork extends Reconciled {
  /** Id of the machine or VPC, or name of the host. */
  id: string
  project_id: string
  /** The network that the engine should have, or its digest. */
  wanted: string
  /** Rises whenever `wanted` changes. */
  generation: number
  /** The network that the engine has, like `wanted`; null while it has none. */
  applied: string | null
  /** Version of the network in the engine; null if none has been in effect. */
  applied_version: number | null
  time_applied: string | null
}

type NetworkTable = 'instance_network' | 'vpc_network'
/** Uplinks are planned as networks are, but only the engine knows what they have. */
type PlannedTable = NetworkTable | 'uplink_host'

/** The columns that all tables have; hosts belong to no project. */
const common = (table: PlannedTable) => table as 'vpc_network'

export type PlannedRow = Pick<Selectable<AppliedNetwork>, 'id' | 'wanted' | 'generation'>

/** What a new row begins with. */
export const notApplied = {
  generation: 0,
  applied: null,
  applied_version: null,
  time_applied: null,
}

/**
 * Inserts missing rows, and makes those due whose network has changed or is no longer wanted.
 * @param planned all rows there are, read before the wanted ones: what is made in between would be
 *   taken for something deleted otherwise
 * @returns whether any row is due
 */
export async function planRows<T extends PlannedTable>(
  db: Db,
  now: Date,
  {
    table,
    planned,
    wanted,
  }: {
    table: T
    planned: readonly PlannedRow[]
    wanted: Iterable<Insertable<Database[T]>> | AsyncIterable<Insertable<Database[T]>>
  },
): Promise<boolean> {
  const known = new Map(planned.map((row) => [row.id, row]))
  const reconcile_at = now.toISOString()
  let due = false
  for await (const values of wanted as AsyncIterable<Insertable<AppliedNetwork>>) {
    const row = known.get(values.id)
    known.delete(values.id)
    if (row?.wanted === values.wanted) continue
    due = true
    if (row) {
      // Another server may have planned with newer rows; it notices what this one has changed.
      await db
        .updateTable(common(table))
        .set({ wanted: values.wanted, generation: row.generation + 1, reconcile_at })
        .where('id', '=', row.id)
        .where('generation', '=', row.generation)
        .execute()
    } else {
      await db
        .insertInto(common(table))
        .values({ ...values, reconcile_at })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
  for (const id of known.keys()) {
    due = true
    await changeRow(db, common(table), id, { reconcile_at })
  }
  return due
}

/**
 * Removes networks without a row from an engine, and makes those due that the engine has lost.
 * @param versions of the networks in the engine
 */
export async function compareRows(
  db: Db,
  table: NetworkTable,
  versions: ReadonlyMap<string, number | undefined>,
  remove: (id: string) => Promise<void>,
): Promise<void> {
  const rows = await db.selectFrom(common(table)).select(['id', 'applied_version']).execute()
  const known = new Set(rows.map(({ id }) => id))
  for (const id of versions.keys()) if (!known.has(id)) await remove(id)
  for (const { id, applied_version } of rows) {
    if (applied_version === null || versions.get(id) === applied_version) continue
    await db
      .updateTable(common(table))
      .set({ applied: null, reconcile_at: new Date(0).toISOString() })
      .where('id', '=', id)
      .where('applied_version', '=', applied_version)
      .execute()
  }
}
