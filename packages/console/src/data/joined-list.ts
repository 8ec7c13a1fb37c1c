import { camel, type MethodName } from '@steading/api/client'
import { type ListedKind, nameKey } from '@steading/api/rules'
import { ApiError } from './errors.ts'

export type Page<Row> = {
  items: Row[]
  nextPage?: string | null
  /** Null: more than are counted. Undefined: not known. */
  total?: number | null
  /** In a page of several kinds: those of which there are any, or may be. */
  kinds?: ListedKind[]
  /** In a page of several kinds: those that the control plane does not have. */
  lacking?: ListedKind[]
}

/** A list of a kind whose things are shown together with those of another one. */
export type JoinedKind<Operation extends MethodName = MethodName> = {
  kind: ListedKind
  operation: Operation
  searched: MethodName
}

/** The list of one kind, read page by page. Statuses that are expected are no failures to report. */
export type Part<Row> = {
  kind: ListedKind
  read: (pageToken?: string, expected?: number[]) => Promise<Page<Row>>
}

/** The place in a list of one kind where a joined page begins: after some rows of a page. */
type Place = { token?: string; skip: number }

type Values = Record<string, string | number | Date | null>

/** Whether a row comes before another one in the order of a sort of the API. */
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

/** How a control plane answers that it does not have an operation. */
const LACKING = [404, 501]

/** A part that the control plane may lack: its reads are undefined then. Its rows say their kind. */
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

/** The rows of one kind from a place on: as many as a page has, unless the list ends. */
async function rowsFrom<Row extends object>(
  read: (pageToken?: string) => Promise<Page<Row> | undefined>,
  { token, skip }: Place,
  limit: number,
) {
  const first = await read(token)
  if (!first) return undefined
  const next = first.items.length < limit ? undefined : (first.nextPage ?? undefined)
  const second = skip > 0 && next ? await read(next) : undefined
  const all = [...first.items, ...(second?.items ?? [])]
  return {
    rows: all.slice(skip),
    total: first.total,
    /** Whether more follows after some of these rows. */
    goesOn: (taken: number) =>
      skip + taken < all.length || Boolean(second ? second.nextPage : next),
    placeAfter: (taken: number): Place =>
      next && skip + taken >= first.items.length
        ? { token: next, skip: skip + taken - first.items.length }
        : { token, skip: skip + taken },
  }
}

/**
 * Reads a page of the things of several kinds, merged in the order in which the API sorts each of
 * their lists. Of equal rows, those of the kind that is named first come first.
 * @param parts the list of the first kind, which there has to be, and those joined with it
 * @param pageToken `nextPage` of the page before
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
  const places = pageToken ? (JSON.parse(pageToken) as Place[]) : parts.map(() => ({ skip: 0 }))
  const found = await Promise.all(
    parts.map((part, index) => rowsFrom(part.read, places[index]!, limit)),
  )
  const isBefore = inOrder(sortBy)
  const taken = parts.map(() => 0)
  const headOf = (index: number) => found[index]?.rows[taken[index]!]
  const items: Row[] = []
  while (items.length < limit) {
    let next: number | undefined
    for (const index of parts.keys()) {
      const head = headOf(index)
      if (head && (next === undefined || isBefore(head, headOf(next)!))) next = index
    }
    if (next === undefined) break
    items.push(headOf(next)!)
    taken[next]!++
  }
  const goesOn = found.some((list, index) => list?.goesOn(taken[index]!))
  const after = found.map((list, index) => list?.placeAfter(taken[index]!) ?? places[index]!)
  const kindsWhere = (is: (list: (typeof found)[number]) => boolean) =>
    parts.flatMap(({ kind }, index) => (is(found[index]) ? [kind] : []))
  return {
    items,
    nextPage: goesOn ? JSON.stringify(after) : null,
    total: totalOf(found.flatMap((list) => (list ? [list.total] : []))),
    kinds: kindsWhere((list) => list !== undefined && list.total !== 0),
    lacking: kindsWhere((list) => list === undefined),
  }
}

/** For the definition of a list: further kinds whose things are in it. */
export const joinedWith = <Operation extends MethodName>(...kinds: JoinedKind<Operation>[]) => ({
  kinds,
  readJoined,
})

/**
 * The rows of several lists together.
 * @returns null if one has more than are counted; undefined if one is not known
 */
export function totalOf(counts: (number | null | undefined)[]): number | null | undefined {
  let total = 0
  for (const count of counts) {
    if (typeof count !== 'number') return count
    total += count
  }
  return total
}
