import { LIST_TOKEN_MAX } from './rules/limits.ts'
import type { Scan } from './operation.ts'
import { type Fields, named, oneOf, pageLimit, ruled, type Schema, text } from './schema.ts'

/** URL-safe base64. The list checks its content and length. */
const pageToken = text(LIST_TOKEN_MAX, ruled({}, { pattern: '^[A-Za-z0-9_-]*={0,2}$' }))

/** Paging modes other than by column: the values of `sort_by` in the document. */
const sortModes = {
  name_or_id: ['name_ascending', 'name_descending', 'id_ascending'],
  id: ['id_ascending'],
  name: ['name_ascending'],
  time_and_id: ['time_and_id_ascending', 'time_and_id_descending'],
  version: ['version_ascending', 'version_descending'],
  none: [],
} as const satisfies Record<Exclude<Scan['sort'], 'column'>, readonly string[]>
type Sort = keyof typeof sortModes

/** Default of `sort_by` where it is not the first mode. */
const defaultModes: Partial<Record<Sort, string>> = { version: 'version_descending' }

const schemaNames: Record<Exclude<Sort, 'none'>, string> = {
  name_or_id: 'NameOrIdSortMode',
  id: 'IdSortMode',
  name: 'NameSortMode',
  time_and_id: 'TimeAndIdSortMode',
  version: 'VersionSortMode',
}
/** Created on first use: the document contains only schemas in use. */
const schemas = new Map<string, Schema>()

function modeSchema(name: string, modes: readonly string[]): Schema {
  const schema = schemas.get(name) ?? named(name, oneOf(...modes))
  schemas.set(name, schema)
  return schema
}

/** A list sorted by any of its columns. */
interface SortedByColumn {
  /** Kind of the items, `Disk`. */
  kind: string
  /** Columns; the first is the default. */
  columns: readonly string[]
}

/** Order of a list. */
export type PagedBy = Sort | SortedByColumn

function sortOf(sort: PagedBy): { modes: readonly string[]; schema?: Schema } {
  if (typeof sort !== 'string') {
    const modes = sort.columns.flatMap((column) => [`${column}_ascending`, `${column}_descending`])
    return { modes, schema: modeSchema(`${sort.kind}SortMode`, modes) }
  }
  if (sort === 'none') return { modes: [] }
  const listed: readonly string[] = sortModes[sort]
  const usual = defaultModes[sort] ?? listed[0]!
  const modes = [usual, ...listed.filter((mode) => mode !== usual)]
  return { modes, schema: modeSchema(schemaNames[sort], listed) }
}

/**
 * Query and scan of a paged list.
 * @param selectors further query parameters, which the page token carries
 * @param required selectors required on the first page
 */
export function paged(
  sort: PagedBy,
  selectors: Fields = {},
  required: readonly string[] = [],
): { query: Fields; scan: Scan } {
  const { modes, schema } = sortOf(sort)
  return {
    query: {
      limit: pageLimit.nullable().optional(),
      page_token: pageToken.nullable().optional(),
      ...(schema ? { sort_by: schema.optional() } : {}),
      ...selectors,
    },
    scan: { sort: typeof sort === 'string' ? sort : 'column', modes, required },
  }
}
