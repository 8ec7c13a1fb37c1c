import type { Scan } from './operation.ts'
import { type Fields, named, oneOf, pageLimit, type Schema, string } from './schema.ts'

const nameOrId = ['name_ascending', 'name_descending', 'id_ascending']
const sorts = {
  name_or_id: { modes: nameOrId, schema: named('NameOrIdSortMode', oneOf(...nameOrId)) },
  id: { modes: ['id_ascending'], schema: named('IdSortMode', oneOf('id_ascending')) },
}

/** A list that is sorted by any of its columns. */
interface SortedByColumn {
  /** Of what, `Disk`. */
  kind: string
  /** The first is what the list is sorted by unless told. */
  columns: readonly string[]
}

function sortOf(sort: 'name_or_id' | 'id' | SortedByColumn): {
  modes: readonly string[]
  schema: Schema
} {
  if (typeof sort === 'string') return sorts[sort]
  const modes = sort.columns.flatMap((column) => [`${column}_ascending`, `${column}_descending`])
  return { modes, schema: named(`${sort.kind}SortMode`, oneOf(...modes)) }
}

/**
 * Query and scan of a paged list.
 * @param selectors further query parameters, carried by the page token
 * @param required which of them the first page cannot do without
 */
export function paged(
  sort: 'name_or_id' | 'id' | SortedByColumn,
  selectors: Fields = {},
  required: readonly string[] = [],
): { query: Fields; scan: Scan } {
  const { modes, schema } = sortOf(sort)
  return {
    query: {
      limit: pageLimit.nullable().optional(),
      page_token: string.nullable().optional(),
      sort_by: schema.optional(),
      ...selectors,
    },
    scan: { sort: typeof sort === 'string' ? sort : 'column', modes, required },
  }
}
