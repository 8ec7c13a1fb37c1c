/** Lists of `/x/v1` that are searched, filtered and sorted; each stands beside the plain list it extends. */
import type { Operation } from './operation.ts'
import { paged } from './paging.ts'
import { LIST_SEARCH_MAX } from './rules/limits.ts'
import { array, type Fields, record, type Schema, someOf, string, text, uint64 } from './schema.ts'

/** The text that a search finds in names, descriptions and the other text columns of a list. */
const SearchText = text({ maxLength: LIST_SEARCH_MAX }, (value) =>
  value.length > LIST_SEARCH_MAX
    ? `search may contain at most ${LIST_SEARCH_MAX} characters`
    : undefined,
)

interface SearchedList<Plain> {
  kind: string
  item: Schema
  /** The list of the API that holds the same items. */
  plain: Plain
  /** Columns the list can be sorted by; the first is the default. */
  columns: readonly string[]
  /** Query parameters; each takes one or more of the given words. */
  filters: Record<string, readonly string[]>
  selectors?: Fields
}

/** A list with a search, filters and sorts; it says how many items there are. */
export function searched<
  Plain extends Pick<Operation, 'permission' | 'scan' | 'path' | 'summary'>,
>({ kind, item, plain, columns, filters, selectors = {} }: SearchedList<Plain>) {
  const words = Object.entries(filters).map(([name, values]) => [name, someOf(values).optional()])
  const fields = { ...selectors, search: SearchText.optional(), ...Object.fromEntries(words) }
  return {
    method: 'GET',
    path: `/x${plain.path}`,
    tags: ['extensions'],
    summary: plain.summary.replace(/^List/, 'Search, filter and sort'),
    permission: plain.permission as Plain['permission'],
    ...paged({ kind, columns }, fields, plain.scan?.required),
    success: {
      status: 200,
      schema: record(`${kind}SearchResultsPage`, {
        items: array(item),
        next_page: string.nullable().optional(),
        /** Items on all pages; null if there are more than `LIST_COUNT_MAX`. */
        total: uint64.nullable(),
      }),
    },
  } as const satisfies Operation
}
