import { parseTag } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Filter } from '../search/filters.ts'
import type { NamedStorage } from '../kinds.ts'

/** Parameter of every searched list: tags separated by commas, all of which are wanted. */
export const TAG_FILTER = 'tag'

/**
 * The filter of the resources with one tag, in the list of a parent. A key alone stands for all its
 * values. Rows are read from the index of the tags, or looked up for each row of the list, by a
 * subquery of one value, which PostgreSQL does not turn into a hash of all tags of the kind.
 */
export function tagFilter({ kind, table }: Pick<NamedStorage, 'kind' | 'table'>): Filter {
  const ids = ([tag]: string[], parentId: string) => {
    const { key, value } = parseTag(tag!)
    return sql<{ id: string; value: string }>`
      select tag.thing_id as id, tag.value as value from tag
      where tag.parent_id = ${parentId} and tag.kind = ${kind} and tag.key = ${key}
        and ${value === '' ? sql`1 = 1` : sql`tag.value = ${value}`}`
  }
  return {
    // Materialised, so that PostgreSQL does not look for each row among all tags of a key.
    wants: (words, parentId) => sql`id in (
      with tagged as materialized (${ids(words, parentId)}) select id from tagged)`,
    elsewhere: {
      ids,
      inEach([tag]) {
        const { key, value } = parseTag(tag!)
        const found = sql`(
          select tag.value from tag
          where tag.thing_id = ${sql.ref(`${table}.id`)} and tag.key = ${key})`
        return value === '' ? sql`${found} is not null` : sql`${found} = ${value}`
      },
    },
    key: sql`id`,
    word: sql`''`,
    words: () => sql`select ''`,
  }
}
