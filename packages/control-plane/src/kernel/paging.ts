import { type Operation, ParseError, parseQuery } from '@steading/api'
import {
  isUuid,
  LIST_TOKEN_MAX,
  PAGE_DEFAULT,
  PAGE_MAX,
  PAGE_TOKEN_MAX,
  textProblem,
} from '@steading/api/rules'
import { type SelectQueryBuilder, sql } from 'kysely'
import { base64ToUint8Array, stringToBase64 } from 'uint8array-extras'
import { type ApiError, fail } from './errors.ts'

/** Where a page starts and how it is sorted. */
export interface Page {
  limit: number
  /** One of the modes of the operation's scan. */
  sortBy: string
  /** The sort value of the last row of the previous page. */
  lastSeen?: string
  /** The id of that row, where several rows may have the same sort value. */
  lastId?: string
  /** In a grouped list, the group of that row: the value of its tag, or null without it. */
  lastGroup?: string | null
  /** Scan parameters, for the token of the next page. */
  scan: Record<string, unknown>
}

const tokenError = (reason: string): ApiError =>
  fail.badRequest(`unable to parse query string: failed to parse pagination token: ${reason}`)

interface PageStart {
  last_seen?: unknown
  last_id?: unknown
  last_group?: unknown
  [parameter: string]: unknown
}

function fromToken(token: string, max: number): PageStart {
  if (token.length > max) throw tokenError('too large')
  let parsed: { v?: unknown; page_start?: PageStart } | null
  try {
    const bytes = base64ToUint8Array(token)
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw tokenError('corrupted token')
  }
  if (typeof parsed?.v !== 'string') throw tokenError('corrupted token')
  if (parsed.v !== 'v1') throw tokenError(`unsupported version: ${parsed.v}`)
  if (typeof parsed.page_start !== 'object' || parsed.page_start === null) {
    throw tokenError('corrupted token')
  }
  return parsed.page_start
}

/** The scan parameters in a token. They were validated when the token was made. */
function scanOf(operation: Operation, start: PageStart): Record<string, unknown> {
  const text = Object.entries(start).map(([key, value]) => [key, String(value)])
  try {
    const scan = parseQuery(operation.query!, new URLSearchParams(text))
    if (operation.scan!.required.every((name) => scan[name] !== undefined)) return scan
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
  }
  throw tokenError('corrupted token')
}

/**
 * The page that a list call asks for. A token carries all parameters of the scan; others in the
 * query are then ignored.
 */
export function pageOf(
  operation: Operation,
  search: URLSearchParams,
): { page: Page; query: Record<string, unknown> } {
  const { sort, modes, required } = operation.scan!
  /** Several rows may have the same sort value; their ids then decide. */
  const withId = sort === 'column' || sort === 'time_and_id'
  const fields = operation.query!
  const heeded = search.get('page_token')
    ? { limit: fields.limit!, page_token: fields.page_token! }
    : fields
  const { limit: asked, page_token, ...rest } = parseQuery(heeded, search)
  const limit = Math.min((asked as number | undefined) ?? PAGE_DEFAULT, PAGE_MAX)
  let scan: Record<string, unknown>
  let lastSeen: string | undefined
  let lastId: string | undefined
  let lastGroup: string | null | undefined
  if (page_token) {
    const max = sort === 'column' ? LIST_TOKEN_MAX : PAGE_TOKEN_MAX
    const { last_seen, last_id, last_group, ...start } = fromToken(page_token as string, max)
    scan = scanOf(operation, start)
    if (typeof last_seen !== 'string') throw fail.badRequest('invalid page token')
    lastSeen = last_seen
    if (withId || last_id !== undefined) {
      if (typeof last_id !== 'string') throw fail.badRequest('invalid page token')
      lastId = last_id
    }
    if (last_group !== undefined) {
      if (last_group !== null && typeof last_group !== 'string') {
        throw fail.badRequest('invalid page token')
      }
      lastGroup = last_group
    }
  } else {
    scan = rest
    const missing = required.find((name) => scan[name] === undefined)
    if (missing) {
      throw fail.badRequest(`unable to parse query string: missing field \`${missing}\``)
    }
  }
  if ([lastSeen, lastGroup].some((text) => text && textProblem(text))) {
    throw fail.badRequest('invalid pagination marker')
  }
  const sortBy = (scan.sort_by as string | undefined) ?? modes[0]!
  const id = sortBy === 'id_ascending' ? lastSeen : lastId
  if (id !== undefined && !isUuid(id)) throw fail.badRequest('invalid pagination marker')
  return {
    page: { limit, sortBy, lastSeen, lastId, lastGroup, scan: { ...scan, sort_by: sortBy } },
    query: scan,
  }
}

export interface ResultsPage<Item> {
  items: Item[]
  next_page: string | null
}

/** The token that continues after a row; absent only after an empty page. */
export const tokenAfter = (
  page: Page,
  row: { last_seen: string; last_id?: string; last_group?: string | null },
): string =>
  stringToBase64(JSON.stringify({ v: 'v1', page_start: { ...page.scan, ...row } }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')

/** Cuts one page out of a few fixed resources, in the order of their names. */
export const pageOfFixed = <Item extends { name: string }>(
  page: Page,
  all: readonly Item[],
): ResultsPage<Item> => pageOfFew(page, all, ({ name }) => name)

/**
 * Cuts one page out of a few resources that were all read.
 * @param nameOf the sort key; no two resources have the same
 * @param compare names
 */
export function pageOfFew<Item>(
  page: Page,
  all: readonly Item[],
  nameOf: (item: Item) => string,
  compare: (a: string, b: string) => number = (a, b) => Number(a > b) - Number(a < b),
): ResultsPage<Item> {
  // Lists whose order is fixed have no modes.
  const sign = page.sortBy?.endsWith('_descending') ? -1 : 1
  const order = (a: string, b: string) => sign * compare(a, b)
  const { lastSeen } = page
  const items = all
    .filter((item) => lastSeen === undefined || order(nameOf(item), lastSeen) > 0)
    .toSorted((a, b) => order(nameOf(a), nameOf(b)))
    .slice(0, page.limit)
  const last = items.at(-1)
  return { items, next_page: last ? tokenAfter(page, { last_seen: nameOf(last) }) : null }
}

/**
 * Cuts one page out of a query, sorted by time and, for equal times, by id.
 * @param columns the columns to compare, e.g. `{ time: 'its.time_created', id: 'its.id' }`
 * @param timeOf the time of a row
 */
export async function pageByTime<DB, TB extends keyof DB, Row extends { id: string }, Item>(
  page: Page,
  query: SelectQueryBuilder<DB, TB, Row>,
  columns: { time: string; id: string },
  timeOf: (row: Row) => string,
  toWire: (row: Row) => Item,
): Promise<ResultsPage<Item>> {
  const descending = page.sortBy.endsWith('_descending')
  const direction = descending ? 'desc' : 'asc'
  const [time, id] = [sql.ref(columns.time), sql.ref(columns.id)]
  let cut = query.orderBy(time, direction).orderBy(id, direction).limit(page.limit)
  if (page.lastSeen !== undefined) {
    const beyond = sql.raw(descending ? '<' : '>')
    cut = cut.where(sql<boolean>`(${time}, ${id}) ${beyond} (${page.lastSeen}, ${page.lastId!})`)
  }
  const rows = (await cut.execute()) as Row[]
  const last = rows.at(-1)
  return {
    items: rows.map(toWire),
    next_page: last ? tokenAfter(page, { last_seen: timeOf(last), last_id: last.id }) : null,
  }
}

/**
 * Cuts one page out of a query by keyset.
 * @param columns the columns that the sort modes compare, e.g. `{ name: 'disk.name', id:
 *   'disk.id' }`
 */
export async function listPage<
  DB,
  TB extends keyof DB,
  Row extends { id: string; name?: string | null },
  Item,
>(
  page: Page,
  query: SelectQueryBuilder<DB, TB, Row>,
  columns: {
    name?: string
    id: string
    /** Several rows may have the same name; their ids then decide. */
    sharedNames?: true
  },
  toWire: (row: Row) => Item,
): Promise<ResultsPage<Item>> {
  const byId = page.sortBy === 'id_ascending'
  const column = sql.ref(byId ? columns.id : columns.name!)
  const id = sql.ref(columns.id)
  const descending = page.sortBy === 'name_descending'
  const direction = descending ? 'desc' : 'asc'
  const beyond = descending ? '<' : '>'
  const shared = columns.sharedNames && !byId
  let cut = query.orderBy(column, direction).limit(page.limit)
  if (shared) cut = cut.orderBy(id, direction)
  const { lastSeen, lastId } = page
  if (lastSeen !== undefined) {
    cut = cut.where((eb) => {
      const after = eb(column, beyond, lastSeen)
      if (!shared || lastId === undefined) return after
      const same = eb(column, '=', lastSeen)
      return eb.or([after, eb.and([same, eb(id, beyond, lastId)])])
    })
  }
  const rows = (await cut.execute()) as Row[]
  const last = rows.at(-1)
  return {
    items: rows.map(toWire),
    next_page: last
      ? tokenAfter(page, {
          last_seen: byId ? last.id : last.name!,
          ...(shared ? { last_id: last.id } : {}),
        })
      : null,
  }
}
