/** Lists of `/x/v1` with search, filters and sorting, each an extension of a plain list. */
import { LIST_SEARCH_MAX } from './rules/limits.ts'
import { parseSearch, TAG_FILTER_MAX, tagMessages } from './rules/tags.ts'
import {
  answerMap,
  commaSeparated,
  type Fields,
  list,
  oneOf,
  record,
  type Schema,
  string,
  Tag,
  TagFilter,
  TagKey,
  text,
  uint64,
} from './schema.ts'

const searchProblem = (value: string): string | undefined =>
  value.length > LIST_SEARCH_MAX
    ? `search may contain at most ${LIST_SEARCH_MAX} characters`
    : undefined

/** Text to search for, without tags. */
export const PlainSearchText = text(LIST_SEARCH_MAX, {}, searchProblem)

/**
 * Text to search for in names, descriptions and the other text columns of a list; `tag:env=prod`
 * in it asks for a tag.
 */
export const SearchText = text(LIST_SEARCH_MAX, {}, (value) => {
  const wrong = searchProblem(value)
  if (wrong !== undefined) return wrong
  return parseSearch(value).tags.length > TAG_FILTER_MAX ? tagMessages.tooManyWanted : undefined
})

/** Number of rows with this filter value instead of the current one. */
const WordCount = record('WordCount', {
  word: string,
  /** Null if there are more than `LIST_COUNT_MAX`. */
  count: uint64.nullable(),
})

/** Neighbouring items with the same value of a tag. */
const TagGroup = record('TagGroup', {
  /** Empty for the key alone; null for items without the tag, which come last. */
  value: string.nullable(),
  /** Matching items on all pages; null if there are more than `LIST_COUNT_MAX`. */
  count: uint64.nullable(),
  /** Number of items on this page. */
  items: uint64,
})

/** Filters of a search; each takes one or more of the given words, or values of a schema. */
export type SearchFilters = Readonly<Record<string, readonly string[] | Schema>>

/** Query parameters of a search, besides its selectors. */
export function searchQuery(filters: SearchFilters): Fields {
  const words = Object.entries(filters).map(([name, values]) => [
    name,
    ('length' in values ? commaSeparated(values) : values).optional(),
  ])
  return {
    search: SearchText.optional(),
    tag: TagFilter.optional(),
    /**
     * Sorts by the values of the tag with this key first, byte by byte, and within each by
     * `sort_by`. Items without the tag come last.
     */
    group_by: TagKey.optional(),
    /** Further properties of the items: `tags` by their ids. */
    with: oneOf('tags').optional(),
    ...Object.fromEntries(words),
    ...(words.length > 0 ? { count_by: oneOf(...Object.keys(filters)).optional() } : {}),
  }
}

/**
 * A page of a search, with a total.
 * @param name of the items, `Disk`
 * @param counted whether the search has filters, by which it can count
 */
export const searchResultsPage = (name: string, item: Schema, counted: boolean): Schema =>
  record(`${name}SearchResultsPage`, {
    items: list(item),
    next_page: string.nullable().optional(),
    /** Items on all pages; null if there are more than `LIST_COUNT_MAX`. */
    total: uint64.nullable(),
    /** With `with=tags`: the tags of the items that have any, by their ids. */
    tags: answerMap(list(Tag)).optional(),
    /** With `group_by`: the groups of the items, in their order. */
    groups: list(TagGroup).optional(),
    /**
     * With `count_by`: the number of rows for each value of that filter, with the same search
     * and the other filters. Values without rows are omitted.
     */
    ...(counted ? { counts: list(WordCount).optional() } : {}),
  })
