/** The resources of all kinds that a deletion concerns; thousands are read in few queries. */
import {
  type Holder,
  type InstanceState,
  type JobStep,
  type JobResourceKind,
  type KindName,
  kindsWithinProject,
} from '@steading/api/rules'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor, Scope } from '../../../kernel/authz/actor.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Database } from '../../../kernel/db/schema.ts'
import {
  type DeletionColumn,
  insideColumn,
  ownerColumn,
  storedKind,
} from '../../../kernel/kinds.ts'

/** The columns of a row that decide about its deletion; null where its kind has no such column. */
export interface DeletableRow {
  kind: JobResourceKind
  id: string
  name: string
  /** The names of its containers below its project. */
  inside: string
  project_id: string | null
  silo_id: string | null
  /** The state of an instance, a disk or a snapshot. */
  state: string | null
  /** The instance that a disk or an address is attached to, or an interface is part of. */
  instance_id: string | null
  boot_disk_id: string | null
  vpc_id: string | null
  vpc_subnet_id: string | null
}
export type DeletableInstance = DeletableRow & { state: InstanceState }

/** The kind whose row of the permission matrix applies to a resource. */
export const accessOf = (thing: Pick<DeletableRow, 'kind' | 'project_id'>): KindName =>
  storedKind(thing.kind).deletion?.access?.(thing) ?? thing.kind

/** An instance as the holder of a resource that is attached to it. */
export const holding = (holder: DeletableInstance, thing: { id: string }): Holder => ({
  state: holder.state,
  boots: holder.boot_disk_id === thing.id,
})

/**
 * The columns of related rows that queries name; a kind may lack some, if its queries do not use
 * them.
 */
export interface RelatedRow {
  id: string
  name: string
  project_id: string | null
  silo_id: string | null
  snapshot_id: string | null
}
/** The tables, with an alias `its` that stands for any of them. */
export type RelatedTables = Database & { its: RelatedRow }
export type RelatedRows = SelectQueryBuilder<RelatedTables, 'its', object>

/** The rows of a table or of a query, called `its`, with nothing selected. */
export const relatedRowsIn = (db: Db, from: RawBuilder<RelatedRow>): RelatedRows =>
  db.selectFrom(from.as('its'))

/** SQL that is true of the rows that plans include for a kind. */
export const isDeletable = (kind: KindName): RawBuilder<boolean> => {
  const { live, deletion } = storedKind(kind)
  return sql`${sql.raw(deletion?.live ?? live)}`
}

/** The rows that plans include for a kind, with nothing selected; their table is called `its`. */
export const deletableRows = (db: Db, kind: KindName): RelatedRows =>
  relatedRowsIn(db, sql`${sql.table(storedKind(kind).table)}`).where(isDeletable(kind))

const columnNames = [
  'project_id',
  'silo_id',
  'state',
  'instance_id',
  'boot_disk_id',
  'vpc_id',
  'vpc_subnet_id',
] as const satisfies DeletionColumn[]

/** Ids in one query; both databases take more parameters than this. */
const CHUNK = 1000

/** Runs a query for many ids, a chunk at a time. */
export async function inChunks<T>(
  ids: Iterable<string>,
  ask: (some: string[]) => Promise<T[]>,
): Promise<T[]> {
  const all = [...new Set(ids)]
  const found: T[] = []
  for (let start = 0; start < all.length; start += CHUNK) {
    if (start > 0) await yieldToEventLoop()
    for (const one of await ask(all.slice(start, start + CHUNK))) found.push(one)
  }
  return found
}

/** The rows of a query of pairs that belong to some owners. */
export const pairsOf = <Owner extends string>(
  db: Db,
  pairs: RawBuilder<unknown>,
  owner: Owner,
  ids: Iterable<string>,
): Promise<(Record<Owner, string> & { id: string })[]> =>
  inChunks(ids, async (some) => {
    const { rows } = await sql<Record<Owner, string> & { id: string }>`
      select id, ${sql.ref(owner)} from (${pairs}) as pair
      where ${sql.ref(owner)} in (${sql.join(some)})`.execute(db)
    return rows
  })

/** The scope of a resource, for a caller who may read it: in the caller's own silo. */
export const scopeOf = ({ siloId }: Actor, { project_id }: DeletableRow): Scope =>
  project_id === null ? { siloId } : { siloId, projectId: project_id }

/** Whether a preparing step acts on the instance that the resource is attached to. */
export const isOfInstance = (step: JobStep): boolean =>
  step === 'stop' || step === 'unset_boot_disk'

/** The common name of the column with the id of a container. */
export const insideOf = (container: JobResourceKind) => `${container}_id` as DeletionColumn

/** The column of a kind for a common name. */
export const columnOf = (kind: JobResourceKind, name: 'id' | DeletionColumn): string =>
  name === 'id' ? name : (storedKind(kind).deletion!.columns[name] ?? name)

/** Resources of a kind whose column has one of the given values, sorted by name. */
export async function deletableRowsBy(
  db: Db,
  kind: JobResourceKind,
  column: 'id' | DeletionColumn,
  values: Iterable<string>,
): Promise<DeletableRow[]> {
  const { columns, state } = storedKind(kind).deletion!
  const isDeeper = kindsWithinProject(kind).length > 0
  const facts = columnNames.map((name) => {
    const value = columns[name]
      ? sql<string | null>`${sql.ref(`its.${columns[name]}`)}`
      : name === 'project_id' && isDeeper
        ? ownerColumn(kind, 'its')
        : name === 'state' && state
          ? state
          : sql<string | null>`null`
    return value.as(name)
  })
  const rows = await inChunks(values, (some) =>
    deletableRows(db, kind)
      .select(['its.id', 'its.name', insideColumn(kind, 'its').as('inside'), ...facts])
      .where(sql.ref<string>(`its.${columnOf(kind, column)}`), 'in', some)
      .execute(),
  )
  return (rows as Omit<DeletableRow, 'kind'>[])
    .map((row) => ({ kind, ...row }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
