/**
 * Where the things of each kind are stored. A resource declares it once, in its `kind.ts`; lookups,
 * lists, events, jobs and deletions derive from that and from the declaration in the contract.
 */
import { type KindName, kindsWithinProject, kindTable } from '@steading/api/rules'
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor } from './authz/actor.ts'
import type { Db } from './db/database.ts'
import type { Database } from './db/schema.ts'
import type { AnySearch } from './search/search.ts'
import type { Steps } from './steps.ts'

/** Kind → its table. Resources add to it by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface KindTables {}

export type StoredName = keyof KindTables & KindName
export type Row<K extends StoredName> = Selectable<KindTables[K]>

/** The columns that plans of deletions read, under their common names. */
export type DeletionColumn =
  | 'project_id'
  | 'silo_id'
  | 'state'
  | 'instance_id'
  | 'boot_disk_id'
  | 'vpc_id'
  | 'vpc_subnet_id'

/** What plans of deletions have to know of a kind. */
export interface StoredDeletion {
  /** Common name → name of the column in the table of this kind. */
  columns: Partial<Record<DeletionColumn, string>>
  /** SQL of what decides about a row called `its`, where no column of it says so. */
  state?: RawBuilder<string>
  /** SQL for the rows that plans take for this kind, where these are more than its live rows. */
  live?: string
  /** The kind whose row of the permission matrix applies to a thing, where that is not its own. */
  access?: (thing: { project_id: string | null }) => KindName
  /**
   * SQL of a query with the columns `id` and `instance_id`: things of this kind that cannot be deleted
   * before these instances.
   */
  keptBy?: RawBuilder<unknown>
  /**
   * SQL of a query with the columns `id` and `later_id`: things of this kind, and those that cannot be
   * deleted before them.
   */
  earlier?: RawBuilder<unknown>
  /** The bytes of a deleted thing are freed a moment later; `reconcile_at` is set until then. */
  hasBytes?: true
}

export interface StoredKind {
  table: keyof Database
  /**
   * SQL that is true of exactly the live rows of this kind, worded like the condition of its
   * indexes.
   */
  live: string
  /** Column that holds the id of the parent; `{parent}_id` by default. */
  parentColumn?: string
  /** Condition for rows that belong to the caller's silo, where no column says so. */
  owned?: (actor: Actor) => RawBuilder<boolean>
  /** Its search in `/x/v1`. */
  search?: AnySearch
  /** Columns that the rules of bulk actions need, besides id and name. */
  bulkColumns?: readonly string[]
  /** The steps that jobs can take with a thing of this kind. */
  steps?: Steps
  deletion?: StoredDeletion
}

const stored = new Map<KindName, StoredKind & { kind: StoredName }>()

/**
 * Declares where the things of a kind are stored.
 * @throws Error if the kind has been declared already
 */
export function storeKind<K extends StoredName>(
  kind: K,
  declaration: StoredKind,
): StoredKind & { kind: K } {
  if (stored.has(kind)) throw new Error(`the kind ${kind} is stored twice`)
  const complete = { kind, ...declaration }
  stored.set(kind, complete)
  return complete
}

/** @throws Error for a kind that no resource has stored */
export function storedKind(kind: KindName): StoredKind & { kind: StoredName } {
  const found = stored.get(kind)
  if (!found) throw new Error(`no resource stores the kind ${kind}`)
  return found
}

export const storedKinds = (): (StoredKind & { kind: StoredName })[] => [...stored.values()]

/** Column of the parent's id in the rows of a kind. */
export const parentColumn = (kind: KindName): string =>
  storedKind(kind).parentColumn ?? `${kindTable[kind].parent}_id`

/**
 * SQL of the id of the project, silo or user that a row belongs to, also if it is inside of something
 * in a project.
 * @param row what the query calls the row
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

/** Between the names of what a thing is inside of; no name contains it. */
export const INSIDE = '/'

/**
 * SQL of the names of what a row is inside of, below its project: the nearest first, an empty text for
 * nothing.
 * @param row what the query calls the row
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

/** True of the rows of a kind that are in some projects; along the indexes of what they are inside of. */
export function inProjects(kind: KindName, projects: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = sql.ref(parentColumn(kind))
  const [parent] = kindsWithinProject(kind)
  if (!parent) return sql`${column} in (${projects})`
  const { table, live } = storedKind(parent)
  return sql`${column} in (
    select id from ${sql.table(table)} where ${sql.raw(live)} and ${inProjects(parent, projects)})`
}

type Its<K extends StoredName> = Omit<Database, 'its'> & { its: KindTables[K] }

/**
 * The beginnings of queries that are used again, by database or transaction. A query builder is
 * never changed: each step makes a new one.
 */
const begun = new WeakMap<Db, Map<StoredName, unknown>>()

/** Live rows of a kind, with nothing selected; their table is called `its`. */
export function rowsOf<K extends StoredName>(
  db: Db,
  kind: K,
): SelectQueryBuilder<Its<K>, 'its', object> {
  let queries = begun.get(db)
  if (!queries) begun.set(db, (queries = new Map()))
  let rows = queries.get(kind)
  if (!rows) {
    const { table, live } = storedKind(kind)
    rows = db.selectFrom(`${table} as its` as 'disk as its').where(sql.raw<boolean>(live))
    queries.set(kind, rows)
  }
  return rows as SelectQueryBuilder<Its<K>, 'its', object>
}
