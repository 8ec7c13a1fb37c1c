import { camel, type MethodName } from '@steading/api/client'
import { type ListedKind, nameKey } from '@steading/api/rules'
import { ApiError } from './errors.ts'
import { totalOf } from './totals.ts'

/** Neighbouring rows with the same value of a tag. */
export type RowGroup = {
  /** Empty for the key alone; null for rows without the tag. */
  value: string | null
  /** Rows on all pages; null if more than are counted, undefined if unknown. */
  count?: number | null
  /** Rows on this page. */
  items: number
}

export type Page<Row> = {
  items: Row[]
  nextPage?: string | null
  /** Tags by the ids of the rows, if they were asked for. */
  tags?: Record<string, string[]>
  /** Null: more than are counted. Undefined: unknown. */
  total?: number | null
  /** In a grouped list: the groups of the items, in their order. */
  groups?: RowGroup[]
  /** In a page of several kinds: the kinds that have or may have rows. */
  kinds?: ListedKind[]
  /** In a page of several kinds: the kinds that the control plane lacks. */
  lacking?: ListedKind[]
}

/** A list of a kind that is shown together with another kind. */
export type JoinedKind<Operation extends MethodName = MethodName> = {
  kind: ListedKind
  operation: Operation
}

/** The list of one kind, read page by page. Expected statuses are not reported as failures. */
export type Part<Row> = {
  kind: ListedKind
  read: (pageToken?: string, expected?: number[]) => Promise<Page<Row>>
}

/** Start of a joined page in the list of one kind: an offset in a page. */
type ListPosition = { token?: string; skip: number }

type Values = Record<string, string | number | Date | null>

/** Comparison of rows in the order of an API sort. */
function inOrder(sortBy: string): (row: object, other: object) => boolean {
  const [, by, direction] = /^(.*)_(ascending|descending)$/.exec(sortBy)!
  const valueOf = (row: object) => {
    const values = row as Values
    return by === 'natural_name' ? nameKey(values.name as string) : (values[camel(by!)] ?? '')
  }
  return direction === 'ascending'
    ? (row, other) => valueOf(row) < valueOf(other)
    : (row, other) => valueOf(row) > valueOf(other)
}

/** Text by which groups sort like in the control plane: by the bytes of their values, null last. */
const orderOf = (value: string | null = null): string =>
  value === null ? '\uffff' : String.fromCharCode(...new TextEncoder().encode(value))

/** Statuses that signal a missing operation. */
const LACKING = [404, 501]

/**
 * A part that the control plane may lack, which makes its reads undefined. Rows carry their
 * kind.
 */
const joined = <Row extends object>({ kind, read }: Part<Row>) => ({
  kind,
  async read(pageToken?: string) {
    try {
      const page = await read(pageToken, LACKING)
      return { ...page, items: page.items.map((row) => ({ ...row, kind })) }
    } catch (error) {
      if (error instanceof ApiError && LACKING.includes(error.statusCode)) return undefined
      throw error
    }
  },
})

/** The rows of one kind from a position on: a full page, unless the list ends. */
async function rowsFrom<Row extends object>(
  read: (pageToken?: string) => Promise<Page<Row> | undefined>,
  { token, skip }: ListPosition,
  limit: number,
) {
  const first = await read(token)
  if (!first) return undefined
  const next = first.items.length < limit ? undefined : (first.nextPage ?? undefined)
  const second = skip > 0 && next ? await read(next) : undefined
  const all = [...first.items, ...(second?.items ?? [])]
  const groups = [...(first.groups ?? []), ...(second?.groups ?? [])]
  return {
    /** The groups of the rows. */
    values: groups
      .flatMap(({ value, items }) => Array<string | null>(items).fill(value))
      .slice(skip),
    rows: all.slice(skip),
    total: first.total,
    /** Whether more rows follow after `taken` ones. */
    hasMore: (taken: number) =>
      skip + taken < all.length || Boolean(second ? second.nextPage : next),
    positionAfter: (taken: number): ListPosition =>
      next && skip + taken >= first.items.length
        ? { token: next, skip: skip + taken - first.items.length }
        : { token, skip: skip + taken },
  }
}

/**
 * Reads a page of several kinds, merged in the order of the API's sort. Ties are broken by the
 * order of the kinds.
 * @param parts the list of the required first kind, and the lists joined with it
 * @param pageToken `nextPage` of the previous page
 * @throws ApiError if one of the lists cannot be read
 */
export async function readJoined<Row extends object>(
  [own, ...others]: Part<Row>[],
  {
    sortBy = 'name_ascending',
    limit,
    pageToken,
  }: { sortBy?: string; limit: number; pageToken?: string },
): Promise<Page<Row>> {
  const parts = [own!, ...others.map((other) => joined(other))]
  const positions = pageToken
    ? (JSON.parse(pageToken) as ListPosition[])
    : parts.map(() => ({ skip: 0 }))
  const found = await Promise.all(
    parts.map((part, index) => rowsFrom(part.read, positions[index]!, limit)),
  )
  const isBefore = inOrder(sortBy)
  const taken = parts.map(() => 0)
  const headOf = (index: number) => found[index]?.rows[taken[index]!]
  const valueOf = (index: number) => found[index]?.values[taken[index]!]
  const items: Row[] = []
  /** Their counts are unknown, because a page has those of its own groups only. */
  const groups: RowGroup[] = []
  while (items.length < limit) {
    let next: number | undefined
    for (const index of parts.keys()) {
      const head = headOf(index)
      if (!head) continue
      const [own, others] = [orderOf(valueOf(index)), next !== undefined && orderOf(valueOf(next))]
      const isEarlier =
        others === false || own < others || (own === others && isBefore(head, headOf(next!)!))
      if (isEarlier) next = index
    }
    if (next === undefined) break
    const value = valueOf(next)
    const last = groups.at(-1)
    if (last && last.value === value) last.items++
    else if (value !== undefined) groups.push({ value, items: 1 })
    items.push(headOf(next)!)
    taken[next]!++
  }
  const hasMore = found.some((list, index) => list?.hasMore(taken[index]!))
  const after = found.map((list, index) => list?.positionAfter(taken[index]!) ?? positions[index]!)
  const kindsWhere = (is: (list: (typeof found)[number]) => boolean) =>
    parts.flatMap(({ kind }, index) => (is(found[index]) ? [kind] : []))
  return {
    items,
    ...(groups.length > 0 ? { groups } : {}),
    nextPage: hasMore ? JSON.stringify(after) : null,
    total: totalOf(found.flatMap((list) => (list ? [list.total] : []))),
    kinds: kindsWhere((list) => list !== undefined && list.total !== 0),
    lacking: kindsWhere((list) => list === undefined),
  }
}

/** For list definitions: further kinds in the same list. */
export const joinedWith = <Operation extends MethodName>(...kinds: JoinedKind<Operation>[]) => ({
  kinds,
  readJoined,
})
