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
} & { [Filter in ListFilter]?: string }

const filters = [
  'state',
  'type',
  'policy',
  'attached',
  'pool',
  'version',
  'kind',
  'target',
  'identity_mode',
  'switch_slot',
  'configured',
  'port_settings',
  'use',
  'class',
  'age',
  'consistency',
  'action',
  'last_result',
] as const
/** Parameters with a comma-separated list of words. */
export type ListFilter = (typeof filters)[number]
/** The possible words; `names`: names of other resources, known only to the page. */
export type ListFilters = { [Filter in ListFilter]?: readonly string[] | 'names' }

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
    for (const [name, words] of Object.entries(known) as [ListFilter, string[] | 'names'][]) {
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

const kept = ['q', 'sort', 'columns', 'group', 'view', ...filters] as const

/** Whether an address does not say how to show the list. */
export const isUnspecified = (search: ListSearch): boolean => !kept.some((key) => search[key])

/** The API's name of a sort: searched lists sort numbers in names by value. */
export const searchedSort = (sort: string): string => sort.replace(/^name_/, 'natural_name_')
const plainSort = (sort: string): string => sort.replace(/^natural_/, '')

/** The content of a view that would save the current state of a list. */
export const contentOf = (search: ListSearch, known: ListFilters = {}) => {
  const query = {
    search: search.q,
    sortBy: search.sort && searchedSort(search.sort),
    groupBy: search.group,
    ...Object.fromEntries(Object.keys(known).map((name) => [name, search[name as ListFilter]])),
  }
  return {
    query: Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    columns: search.columns?.split(',') ?? null,
  }
}

/** The search parameters of a view; without one, of the whole list. */
export function searchOf(view?: SavedView): ListSearch {
  const nothing = Object.fromEntries(kept.map((key) => [key, undefined])) as ListSearch
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
    for (const key of kept) if (!(key in result) && search[key]) result[key] = search[key]
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
