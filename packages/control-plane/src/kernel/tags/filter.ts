import { parseTag } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Filter } from '../search/filters.ts'
import type { NamedStorage } from '../kinds.ts'

/** Parameter of every searched list: tags separated by commas, all of which are wanted. */
export const TAG_FILTER = 'tag'

/** Parameter of every searched list: the key of a tag by whose values the rows are grouped. */
export const TAG_GROUPS = 'group_by'

type Storage = Pick<NamedStorage, 'kind' | 'table'>

/** SQL for the value of a tag of a row, looked up for each; null without the tag. */
export const tagValueOf = (table: Storage['table'], key: string) => sql<string | null>`(
  select tag.value from tag
  where tag.thing_id = ${sql.ref(`${table}.id`)} and tag.key = ${key})`

/**
 * Rows with a tag, from the index of the tags, or looked up for each row of the list, by a subquery
 * of one value, which PostgreSQL does not turn into a hash of all tags of the kind.
 * @param value undefined for any
 */
function taggedFilter({ kind, table }: Storage, key: string, value: string | undefined): Filter {
  const ids = (_: string[], parentId: string) => sql<{ id: string; value: string }>`
    select tag.thing_id as id, tag.value as value from tag
    where tag.parent_id = ${parentId} and tag.kind = ${kind} and tag.key = ${key}
      and ${value === undefined ? sql`1 = 1` : sql`tag.value = ${value}`}`
  return {
    // Materialised, so that PostgreSQL does not look for each row among all tags of a key.
    wants: (words, parentId) => sql`id in (
      with tagged as materialized (${ids(words, parentId)}) select id from tagged)`,
    elsewhere: {
      ids,
      inEach: () =>
        value === undefined
          ? sql`${tagValueOf(table, key)} is not null`
          : sql`${tagValueOf(table, key)} = ${value}`,
    },
    ...withoutWords,
  }
}

/** Rows are not counted by their tags. */
const withoutWords = { key: sql<string>`id`, word: sql<string>`''`, words: () => sql`select ''` }

/**
 * The filter of the resources with one tag, in the list of a parent. A key alone stands for all its
 * values.
 */
export function tagFilter(storage: Storage): Filter {
  const filterOf = ([tag]: string[]) => {
    const { key, value } = parseTag(tag!)
    return taggedFilter(storage, key, value === '' ? undefined : value)
  }
  return {
    wants: (words, parentId) => filterOf(words).wants(words, parentId),
    elsewhere: {
      ids: (words, parentId) => filterOf(words).elsewhere!.ids(words, parentId),
      inEach: (words) => filterOf(words).elsewhere!.inEach(words),
    },
    ...withoutWords,
  }
}

/**
 * The filter of the rows of one group.
 * @param value empty for the key alone, null for rows without the tag
 */
export const groupFilter = (storage: Storage, key: string, value: string | null): Filter =>
  value === null
    ? {
        wants: () => sql`${tagValueOf(storage.table, key)} is null`,
        scattered: true,
        ...withoutWords,
      }
    : taggedFilter(storage, key, value)
