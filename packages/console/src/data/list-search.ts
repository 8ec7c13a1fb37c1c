import type { SavedView } from '@steading/api/client'
import { NO_VIEW } from './views.ts'

/** Id of the column of tags, which every list has. A list that shows it reads the tags. */
export const TAGS_COLUMN = 'tags'

/** Search parameters of a list in the address; defaults are omitted. */
export type ListSearch = {
  /** Text to find in names and descriptions. */
  q?: string
  /** In the API's notation, `memory_descending`. */
  sort?: string
  /** Ids of the shown columns, separated by commas, unless they are the default ones. */
  columns?: string
  /** Key of the tag by whose values the rows are grouped. */
  group?: string
  /** Id of the chosen view, or `all`. Without one, the list opens with the default view. */
  view?: string
  /** Words of a filter, separated by commas, by the name of the filter in the API. */
  [filter: string]: string | undefined
}

/** The filters of a list with their possible words; `names`: names of other resources, known only to the page. */
export type ListFilters = Readonly<Record<string, readonly string[] | 'names'>>

const SEARCH_MAX = 256
/** Format of keys of tags; the control plane checks them. */
const KEY = /^\w[\w./-]{0,62}$/
/** Format of resource names. */
const NAME = /^[a-z][a-z0-9-]{0,62}$/

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''

/** Parses the search parameters of an address. They are user input: invalid values are ignored. */
export const validateListSearch =
  (known: ListFilters = {}) =>
  (raw: Record<string, unknown>): ListSearch => {
    const search: ListSearch = {}
    const q = textOf(raw.q).replaceAll('\0', '').slice(0, SEARCH_MAX)
    if (q) search.q = q
    const sort = textOf(raw.sort)
    if (/^[a-z_]+_(ascending|descending)$/.test(sort)) search.sort = sort
    const columns = textOf(raw.columns)
    if (columns) search.columns = columns
    const group = textOf(raw.group)
    if (KEY.test(group)) search.group = group
    const view = textOf(raw.view)
    if (view === NO_VIEW || /^[0-9a-f-]{36}$/.test(view)) search.view = view
    for (const [name, words] of Object.entries(known)) {
      const entered = textOf(raw[name]).split(',')
      const understood = entered.filter((word) =>
        words === 'names' ? NAME.test(word) : words.includes(word),
      )
      if (understood.length > 0) search[name] = understood.join(',')
    }
    return search
  }

/** The list on the screen: links to its side modals, and back, keep its search parameters. */
let current: string | undefined

const keptOf = (known: ListFilters = {}) => [
  'q',
  'sort',
  'columns',
  'group',
  'view',
  ...Object.keys(known),
]

/** Whether an address does not say how to show the list. */
export const isUnspecified = (search: ListSearch, known?: ListFilters): boolean =>
  !keptOf(known).some((key) => search[key])

/** The API's name of a sort: searched lists sort numbers in names by value. */
export const searchedSort = (sort: string): string => sort.replace(/^name_/, 'natural_name_')
const plainSort = (sort: string): string => sort.replace(/^natural_/, '')

/** The content of a view that would save the current state of a list. */
export const contentOf = (search: ListSearch, known: ListFilters = {}) => {
  const query = {
    search: search.q,
    sortBy: search.sort && searchedSort(search.sort),
    groupBy: search.group,
    ...Object.fromEntries(Object.keys(known).map((name) => [name, search[name]])),
  }
  return {
    query: Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    columns: search.columns?.split(',') ?? null,
  }
}

/** The search parameters of a view; without one, of the whole list. */
export function searchOf(view: SavedView | undefined, known?: ListFilters): ListSearch {
  const nothing: ListSearch = Object.fromEntries(keptOf(known).map((key) => [key, undefined]))
  if (!view) return { ...nothing, view: NO_VIEW }
  const { search, sortBy, groupBy, ...chosen } = view.query
  return {
    ...nothing,
    ...chosen,
    q: search,
    group: groupBy,
    sort: sortBy && plainSort(sortBy),
    columns: view.columns?.join(','),
    view: view.id,
  }
}

type Middleware = (context: {
  search: ListSearch
  next: (search: ListSearch) => ListSearch
}) => ListSearch

/** Route options of a list, which is the parent of its side modals. */
export function searchedRoute({ id, filters: known }: { id: string; filters?: ListFilters }) {
  const keep: Middleware = ({ search, next }) => {
    const result = { ...next(search) }
    if (current !== id) return result
    for (const key of keptOf(known)) if (!(key in result) && search[key]) result[key] = search[key]
    return result
  }
  const enter = () => {
    current = id
  }
  return {
    validateSearch: validateListSearch(known),
    search: { middlewares: [keep] },
    onEnter: enter,
    onStay: enter,
    onLeave: () => {
      if (current === id) current = undefined
    },
  }
}
