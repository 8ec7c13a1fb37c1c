/** The rows of a list that match its search and filters. */
import { LIST_COUNT_MAX, parseSearch } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { inProjects, parentColumn, storedKind, type StoredName } from '../kinds.ts'
import { foundBy, foundInEach, valuesFound } from '../search/handles.ts'
import type { Filter } from '../search/filters.ts'
import type { AnySearch } from '../search/search.ts'
import { TAG_FILTER, tagFilter } from '../tags/filter.ts'
import { hasTrigram, mayContain } from '../trigram-index.ts'

/** A kind with everything its search needs. */
export interface List extends AnySearch {
  /** Selects the rows of a group, besides the filters of a call. */
  group?: Filter
  kind: StoredName
  table: keyof Database
  parent: string
  live: string
}

/** Search and filters of a call, as in its parameters; other parameters are ignored. */
export type ListQuery = Record<string, unknown>

/** Stands for any table with the columns that all lists have. */
export type Table = 'disk'

/** @throws Error for a kind that has no search */
export function listOf(kind: StoredName): List {
  const { table, live, search } = storedKind(kind)
  if (!search) throw new Error(`things of the kind ${kind} cannot be searched`)
  const filters = { ...search.filters, [TAG_FILTER]: tagFilter({ kind, table }) }
  return { ...search, filters, kind, table, live, parent: parentColumn(kind) }
}

/** Lower case like `lower` in both databases: only the letters of ASCII change. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
const pattern = (text: string) => `%${lower(text).replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * True of every row. A query with this condition can use the index for searches, which is partial
 * on it.
 */
export const forSearch = sql<boolean>`name <> ''`

/** Sorts after every name. */
const LAST = '\u{10ffff}'

/** The text a list is searched for, in lower case and without the tags it asks for. */
export function textOf({ search }: ListQuery): string | undefined {
  const { text } = parseSearch((search as string | undefined) ?? '')
  return text === '' ? undefined : lower(text)
}

/** The tags that a call asks for. */
const tagsOf = (query: ListQuery): string[] => [
  ...((query[TAG_FILTER] as string | undefined)?.split(',') ?? []),
  ...parseSearch((query.search as string | undefined) ?? '').tags,
]

/** A filter of a call with its words. */
interface FilterOfCall {
  filter: Filter
  words: string[]
}

/** The filters of a call, also that of a group. Each tag is a filter of its own. */
export const filtersOf = ({ filters, group }: List, query: ListQuery): FilterOfCall[] => [
  ...Object.entries(filters).flatMap(([name, filter]) => {
    if (name === TAG_FILTER) return tagsOf(query).map((tag) => ({ filter, words: [tag] }))
    const words = query[name] as string | undefined
    return words === undefined ? [] : [{ filter, words: words.split(',') }]
  }),
  ...(group ? [{ filter: group, words: [] }] : []),
]

/** True of rows whose name begins with a text. */
export const begins = (text: string): RawBuilder<boolean> =>
  sql`(name >= ${text} and name < ${text + LAST})`

/** True of rows that contain a text; a text of few letters must be the beginning of the name. */
export function contains(list: List, text: string): RawBuilder<boolean> {
  if (!hasTrigram(text)) return begins(text)
  const like = pattern(text)
  const columns = list.searched.map(
    (column) => sql<boolean>`lower(${sql.ref(column)}) like ${like} escape '\\'`,
  )
  return sql`(${sql.join(columns, sql` or `)})`
}

/** True of rows with an id or an address that begins with a text, if the text may be one. */
export function isHeld(
  list: List,
  text: string,
  parentId: string,
): RawBuilder<boolean> | undefined {
  const found = foundBy(list.handles ?? [], text, parentId)
  return found.length > 0 ? sql`(${sql.join(found, sql` or `)})` : undefined
}

/** The same condition, looked up for each row. */
function holds(list: List, text: string): RawBuilder<boolean> | undefined {
  const found = foundInEach(list.handles ?? [], text, list.table)
  return found.length > 0 ? sql`(${sql.join(found, sql` or `)})` : undefined
}

/** Whether more addresses begin with a text than rows are counted. */
export async function isHeldByMany(
  db: Db,
  list: List,
  text: string,
  parentId: string,
): Promise<boolean> {
  const counts = valuesFound(list.handles ?? [], text, parentId, LIST_COUNT_MAX + 1)
  if (counts.length === 0) return false
  const { rows } = await sql<{ count: number }>`
    select ${sql.join(counts, sql` + `)} as count`.execute(db)
  return rows[0]!.count > LIST_COUNT_MAX
}

/** All rows of a kind, whatever their parents. */
export const everywhere = (db: Db, list: List) =>
  db.selectFrom(list.table as Table).where(sql.raw<boolean>(list.live))

/** All rows of a list. */
export const everything = (db: Db, list: List, parentId: string) =>
  db
    .selectFrom(list.table as Table)
    .where(sql.ref(list.parent), '=', parentId)
    .where(sql.raw<boolean>(list.live))

export type Rows = ReturnType<typeof everything>

/** All rows of the lists of a kind in a project. */
export const everythingIn = (db: Db, { kind, table, live }: List, projectId: string): Rows =>
  db
    .selectFrom(table as Table)
    .where(inProjects(kind, sql`${projectId}`))
    .where(sql.raw<boolean>(live))

/**
 * How rows are read: along the index of a sort, or slice by slice. Each slice must cost the same
 * however many addresses a text finds.
 */
type Along = 'sort' | 'slices'

/**
 * The rows of a list that match its search and filters, in no order.
 * @param along how the rows are read, so that no condition here makes the database choose another
 *   index
 */
export function matching(
  db: Db,
  list: List,
  parentId: string,
  query: ListQuery,
  along?: Along,
): Rows {
  let rows = everything(db, list, parentId)
  for (const { filter, words } of filtersOf(list, query)) {
    const { wants, elsewhere } = filter
    const wanted = along && elsewhere ? elsewhere.inEach(words) : wants(words, parentId)
    rows = rows.where(along ? sql<boolean>`(${wanted}) is true` : wanted)
  }
  const search = textOf(query)
  if (search === undefined) return rows
  const held = along === 'slices' ? holds(list, search) : isHeld(list, search, parentId)
  const text = contains(list, search)
  const wanted = held ? sql<boolean>`(${text} or ${held})` : text
  return along ? rows.where(sql<boolean>`(${wanted}) is true`) : rows.where(forSearch).where(wanted)
}

/** On PostgreSQL, true of the rows that may match; each way to match is read from its own index. */
function isCandidate(list: List, search: string, parentId: string): RawBuilder<boolean> {
  const text = mayContain(list, pattern(search))
  const held = isHeld(list, search, parentId)
  if (!held) return text
  const table = sql.table(list.table)
  return sql`id in (
    select id from ${table} where ${text} union all select id from ${table} where ${held})`
}

/** The same rows, also by the trigram index of PostgreSQL if there is one. */
export function matchingByText(
  db: Db,
  findsText: boolean,
  list: List,
  parentId: string,
  query: ListQuery,
): Rows {
  const search = textOf(query)
  const rows = matching(db, list, parentId, query)
  return search !== undefined && findsText && hasTrigram(search)
    ? rows.where(isCandidate(list, search, parentId))
    : rows
}

/** The number of rows; null above the limit up to which lists are counted. */
export async function countOf(db: Db, found: Rows): Promise<number | null> {
  const some = found.select(sql`1`.as('one')).limit(LIST_COUNT_MAX + 1)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count > LIST_COUNT_MAX ? null : count
}
