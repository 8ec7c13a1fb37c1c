/**
 * Storage of the resources of each kind. A resource declares it once, in its `kind.ts`; lookups,
 * lists, events, jobs and deletions derive from that and from the declaration in the contract.
 * `compose` hands all declarations to the kernel.
 */
import { type KindName, kindsWithinProject, kindTable } from '@steading/api/rules'
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor } from './authz/actor.ts'
import { type AnyRow, anyTable } from './db/any-table.ts'
import type { Db } from './db/database.ts'
import { present } from './db/rows.ts'
import type { Database } from './db/schema.ts'
import type { StoredTables, TableName } from './db/tables.ts'
import type { AnySearch } from './search/search.ts'
import type { JobSteps } from './job-steps.ts'

/**
 * Kinds whose resources have no rows of their own: there is one fleet, policies are sets of role
 * assignments, the firewall rules of a VPC are one set, and the audit log is read as a whole.
 */
type Rowless = 'fleet' | 'policy' | 'audit_log' | 'vpc_firewall_rule'
export type StoredName = Exclude<KindName, Rowless>

/**
 * Kind → its table, where the table has another name because several kinds share it. Resources add
 * to it by declaration merging.
 */
// oxlint-disable-next-line typescript/no-empty-interface
export interface SharedTables {}

type TableOf<K extends StoredName> = K extends keyof SharedTables
  ? SharedTables[K] & keyof Database
  : K & keyof Database
export type Row<K extends StoredName> = Selectable<Database[TableOf<K>]>

/** The columns that plans of deletions read, under their common names. */
export type DeletionColumn =
  | 'project_id'
  | 'silo_id'
  | 'state'
  | 'instance_id'
  | 'boot_disk_id'
  | 'vpc_id'
  | 'vpc_subnet_id'

/** Facts about a kind for plans of deletions. */
export interface StoredDeletion {
  /** Common name → name of the column in the table of this kind. */
  columns: Partial<Record<DeletionColumn, string>>
  /** SQL of the state that decides about a row called `its`, where no column holds it. */
  state?: RawBuilder<string>
  /** SQL of the rows that plans include for this kind, where these are more than its live rows. */
  live?: string
  /** The kind whose row of the permission matrix applies to a resource, if not its own. */
  access?: (thing: { project_id: string | null }) => KindName
  /**
   * SQL of a query with the columns `id` and `instance_id`: resources of this kind that cannot be
   * deleted before these instances.
   */
  keptBy?: RawBuilder<unknown>
  /**
   * SQL of a query with the columns `id` and `later_id`: pairs of resources of which the first must
   * be deleted before the second.
   */
  earlier?: RawBuilder<unknown>
  /** The bytes of a deleted resource are freed later; `reconcile_at` is set until then. */
  hasBytes?: true
}

/** A query for the ids, of those given, that still own a volume with the same id. */
export type VolumeOwners = (db: Db, some: string[]) => { execute: () => Promise<{ id: string }[]> }

/**
 * The facts about a kind's storage. A mechanism of several resources, such as the addresses of
 * pools, adds a field by declaration merging.
 */
export interface Storage {
  /** The tables of the kind: its own, and those of the parts of its resources. */
  tables?: StoredTables
  /**
   * SQL that is true of exactly the live rows of this kind, worded like the condition of its
   * indexes.
   */
  live: string
  /** Column that holds the id of the parent; `{parent}_id` by default. */
  parentColumn?: string
  /** Condition for rows of the caller's silo, where no column holds the silo. */
  owned?: (actor: Actor) => RawBuilder<boolean>
  /**
   * Callers with limits find their own rows: these are public, or the handlers check such callers.
   */
  evenIfLimited?: true
  /** Its search in `/x/v1`. */
  search?: AnySearch
  /** Columns that the rules of bulk actions need, besides id and name. */
  bulkColumns?: readonly string[]
  /** The steps that jobs can take with a resource of this kind. */
  steps?: JobSteps
  deletion?: StoredDeletion
  /** Its rows that own volumes. Volumes without an owner are removed. */
  volumes?: readonly VolumeOwners[]
}

/** The declaration of a kind, with the name of its table if that differs from the kind's. */
export type StoredKind<K extends StoredName> = Storage &
  (K extends keyof SharedTables ? { table: SharedTables[K] } : { table?: never })

/** The declarations of all kinds; a missing one does not compile. */
export type StoredKinds = { [K in StoredName]: StoredKind<K> }

/** A declaration with the names of its kind and table. */
export interface NamedStorage extends Storage {
  kind: StoredName
  table: TableName
}

let stored: ReadonlyMap<KindName, NamedStorage> = new Map()

/**
 * Sets the declarations of all kinds; `compose` calls it.
 * @param stepsOfAny steps of jobs that several kinds have; a kind may declare its own instead
 */
export function composeKinds(kinds: StoredKinds, stepsOfAny: (kind: KindName) => JobSteps): void {
  const entries = Object.entries(kinds) as [StoredName, Storage & { table?: TableName }][]
  stored = new Map(
    entries.map(([kind, one]) => [
      kind,
      {
        ...one,
        kind,
        table: one.table ?? (kind as TableName),
        steps: { ...stepsOfAny(kind), ...one.steps },
      },
    ]),
  )
}

/** @throws Error for a kind without a declaration */
export function storedKind(kind: KindName): NamedStorage {
  const found = stored.get(kind)
  if (!found) throw new Error(`no resource stores the kind ${kind}`)
  return found
}

export const storedKinds = (): NamedStorage[] => [...stored.values()]

/** Column of the parent's id in the rows of a kind. */
export const parentColumn = (kind: KindName): string =>
  storedKind(kind).parentColumn ?? `${kindTable[kind].parent}_id`

/**
 * SQL of the id of the project, silo or user that owns a row, even through other containers in a
 * project.
 * @param row the alias of the row in the query
 */
export function ownerColumn(kind: KindName, row: string): RawBuilder<string> {
  const column = sql.ref<string>(`${row}.${parentColumn(kind)}`)
  const [parent] = kindsWithinProject(kind)
  if (!parent) return column
  const above = `${row}_in`
  return sql<string>`(select ${ownerColumn(parent, above)}
    from ${sql.table(storedKind(parent).table)} as ${sql.table(above)}
    where ${sql.ref(`${above}.id`)} = ${column})`
}

/** Separator between the names of nested containers; no name contains it. */
export const INSIDE = '/'

/**
 * SQL of the names of a row's containers below its project: the nearest first, an empty text if
 * there are none.
 * @param row the alias of the row in the query
 */
export function insideColumn(kind: KindName, row: string): RawBuilder<string> {
  const [parent] = kindsWithinProject(kind)
  if (!parent) return sql<string>`''`
  const above = `${row}_in`
  const further =
    kindsWithinProject(parent).length > 0
      ? sql`|| ${sql.lit(INSIDE)} || ${insideColumn(parent, above)}`
      : sql``
  return sql<string>`(select ${sql.ref(`${above}.name`)} ${further}
    from ${sql.table(storedKind(parent).table)} as ${sql.table(above)}
    where ${sql.ref(`${above}.id`)} = ${sql.ref(`${row}.${parentColumn(kind)}`)})`
}

/** True of the rows of a kind in some projects; uses the indexes of their containers. */
export function inProjects(kind: KindName, projects: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = sql.ref(parentColumn(kind))
  const [parent] = kindsWithinProject(kind)
  if (!parent) return sql`${column} in (${projects})`
  const { table, live } = storedKind(parent)
  return sql`${column} in (
    select id from ${sql.table(table)} where ${sql.raw(live)} and ${inProjects(parent, projects)})`
}

type AnyRows = SelectQueryBuilder<Omit<Database, 'its'> & { its: AnyRow }, 'its', object>
type RowsOfKind<K extends StoredName> = Omit<Database, 'its'> & { its: Database[TableOf<K>] }

/**
 * Reusable prefixes of queries, by database or transaction. A query builder is immutable: each step
 * makes a new one.
 */
const begun = new WeakMap<Db, Map<KindName, AnyRows>>()

/**
 * Live rows of a kind that is known only at run time, with nothing selected; their table is called
 * `its`.
 */
export function anyRowsOf(db: Db, kind: KindName): AnyRows {
  let queries = begun.get(db)
  if (!queries) begun.set(db, (queries = new Map()))
  let rows = queries.get(kind)
  if (!rows) {
    const { table, live } = storedKind(kind)
    rows = db.selectFrom(anyTable(table).as('its')).where(sql.raw<boolean>(live))
    queries.set(kind, rows)
  }
  return rows
}

/** Live rows of a kind, with nothing selected; their table is called `its`. */
export const rowsOf = <K extends StoredName>(
  db: Db,
  kind: K,
): SelectQueryBuilder<RowsOfKind<K>, 'its', object> =>
  anyRowsOf(db, kind) as unknown as SelectQueryBuilder<RowsOfKind<K>, 'its', object>

/**
 * Some columns of the live row of a kind with an id, or all of them.
 * @returns undefined if there is no such row
 */
export async function findLive<
  K extends StoredName,
  C extends keyof Row<K> & string = keyof Row<K> & string,
>(db: Db, kind: K, id: string, ...columns: C[]): Promise<Pick<Row<K>, C> | undefined> {
  const rows = anyRowsOf(db, kind).where('its.id', '=', id)
  const read =
    columns.length > 0
      ? rows.select(columns.map((column) => sql.ref(`its.${column}`).as(column)))
      : rows.selectAll()
  return (await read.executeTakeFirst()) as Pick<Row<K>, C> | undefined
}

/** As {@link findLive}, of a row that is there. */
export const readLive = async <
  K extends StoredName,
  C extends keyof Row<K> & string = keyof Row<K> & string,
>(
  ...of: [db: Db, kind: K, id: string, ...columns: C[]]
): Promise<Pick<Row<K>, C>> => present(await findLive(...of))
