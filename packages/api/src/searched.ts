/** Lists of `/x/v1` that are searched, filtered and sorted; each stands beside the plain list it extends. */
import type { Operation } from './operation.ts'
import { paged } from './paging.ts'
import { LIST_SEARCH_MAX } from './rules/limits.ts'
import {
  array,
  type Fields,
  oneOf,
  record,
  type Schema,
  someOf,
  string,
  text,
  uint64,
} from './schema.ts'

/** The text that a search finds in names, descriptions and the other text columns of a list. */
export const SearchText = text({ maxLength: LIST_SEARCH_MAX }, (value) =>
  value.length > LIST_SEARCH_MAX
    ? `search may contain at most ${LIST_SEARCH_MAX} characters`
    : undefined,
)

/** How many rows a list would have, were it filtered by this word instead. */
const WordCount = record('WordCount', {
  word: string,
  /** Null if there are more than `LIST_COUNT_MAX`. */
  count: uint64.nullable(),
})

interface SearchedList<Plain> {
  kind: string
  item: Schema
  /** The list of the API that holds the same items. */
  plain: Plain
  /** Columns the list can be sorted by; the first is the default. */
  columns: readonly string[]
  /** Query parameters; each takes one or more of the given words, or of those of a schema. */
  filters: Record<string, readonly string[] | Schema>
  selectors?: Fields
}

/** A list with a search, filters and sorts; it says how many items there are. */
export function searched<
  Plain extends Pick<Operation, 'permission' | 'scan' | 'path' | 'summary'>,
>({ kind, item, plain, columns, filters, selectors = {} }: SearchedList<Plain>) {
  const words = Object.entries(filters).map(([name, values]) => [
    name,
    ('length' in values ? someOf(values) : values).optional(),
  ])
  const counted = words.length > 0
  const fields = {
    ...selectors,
    search: SearchText.optional(),
    ...Object.fromEntries(words),
    ...(counted ? { count_by: oneOf(...Object.keys(filters)).optional() } : {}),
  }
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
        /**
         * With `count_by`: how many rows each word of that filter would give, with the same search and
         * the other filters. Words without rows are left out.
         */
        ...(counted ? { counts: array(WordCount).optional() } : {}),
      }),
    },
  } as const satisfies Operation
}
