import type { Scan } from './operation.ts'
import { type Fields, named, oneOf, pageLimit, string } from './schema.ts'

const NameOrIdSortMode = named(
  'NameOrIdSortMode',
  oneOf('name_ascending', 'name_descending', 'id_ascending'),
)
const IdSortMode = named('IdSortMode', oneOf('id_ascending'))

const sortModes = { name_or_id: NameOrIdSortMode, id: IdSortMode }

/**
 * Query and scan of a paged list.
 * @param selectors further query parameters, carried by the page token
 * @param required which of them the first page cannot do without
 */
export function paged(
  sort: Scan['sort'],
  selectors: Fields = {},
  required: readonly string[] = [],
): { query: Fields; scan: Scan } {
  return {
    query: {
      limit: pageLimit.nullable().optional(),
      page_token: string.nullable().optional(),
      sort_by: sortModes[sort].optional(),
      ...selectors,
    },
    scan: { sort, required },
  }
}
