/** What the address of a list says about it; whatever is as usual is left out. */
export type ListSearch = {
  /** Looked for in names and descriptions. */
  q?: string
  /** As the API says it, `memory_descending`. */
  sort?: string
  /** The columns that are shown, with commas between them, if they are others than usual. */
  columns?: string
} & { [Filter in ListFilter]?: string }

/** Parameters that take some words, with commas between them. */
export type ListFilter = 'state' | 'type'
export type ListFilters = { [Filter in ListFilter]?: readonly string[] }

const SEARCH_MAX = 256

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''

/** Reads the search of an address, which anybody may have written: nonsense is not there. */
export const validateListSearch =
  (filters: ListFilters = {}) =>
  (raw: Record<string, unknown>): ListSearch => {
    const search: ListSearch = {}
    const q = textOf(raw.q).replaceAll('\0', '').slice(0, SEARCH_MAX)
    if (q) search.q = q
    const sort = textOf(raw.sort)
    if (/^[a-z_]+_(ascending|descending)$/.test(sort)) search.sort = sort
    const columns = textOf(raw.columns)
    if (columns) search.columns = columns
    for (const name of Object.keys(filters) as ListFilter[]) {
      const words = textOf(raw[name]).split(',')
      const known = words.filter((word) => filters[name]!.includes(word))
      if (known.length > 0) search[name] = known.join(',')
    }
    return search
  }

/** The list on the screen: links to its side modals and back keep what it is searched for. */
let current: string | undefined

const kept = ['q', 'sort', 'columns', 'state', 'type'] as const

type Middleware = (context: {
  search: ListSearch
  next: (search: ListSearch) => ListSearch
}) => ListSearch

/** Options of the route of a list, which is the parent of its side modals. */
export function searchedRoute({ id, filters }: { id: string; filters?: ListFilters }) {
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
    validateSearch: validateListSearch(filters),
    search: { middlewares: [keep] },
    onEnter: enter,
    onStay: enter,
    onLeave: () => {
      if (current === id) current = undefined
    },
  }
}
