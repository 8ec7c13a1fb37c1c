/** The groups of a list: the values of a tag, byte by byte, and then the rows without the tag. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { groupFilter, tagValueOf } from '../tags/filter.ts'
import type { List } from './matching.ts'

/** The value of a group; null stands for the rows without the tag. */
export type GroupValue = string | null

/** A list of the rows of one group. */
export const groupOf = (list: List, key: string, value: GroupValue): List => ({
  ...list,
  group: groupFilter(list, key, value),
})

/** SQL for the group of a row. */
export const groupValueOf = ({ table }: List, key: string): RawBuilder<GroupValue> =>
  tagValueOf(table, key)

/** The order of groups, by the column `grouped_by`. */
export const inGroupOrder = sql`grouped_by is null, grouped_by`

/**
 * True of rows after a position in grouped rows.
 * @param within true of the rows after it in its own group
 */
export const isInLaterGroup = (last: GroupValue, within: RawBuilder<boolean>) =>
  last === null
    ? sql<boolean>`grouped_by is null and ${within}`
    : sql<boolean>`(grouped_by is null or grouped_by > ${last} or (grouped_by = ${last} and ${within}))`

/**
 * The values of a tag in a list, each found along the index of the tags.
 * @param from the first value
 */
export async function* valuesInList(
  db: Db,
  { kind }: List,
  parentId: string,
  key: string,
  from: string,
): AsyncGenerator<string> {
  const least = async (within: RawBuilder<unknown>) => {
    const { rows } = await sql<{ value: string | null }>`
      select min(value) as value from tag
      where parent_id = ${parentId} and kind = ${kind} and key = ${key}
        and ${within}`.execute(db)
    return rows[0]!.value
  }
  let value = await least(sql`value >= ${from}`)
  while (value !== null) {
    yield value
    value = await least(sql`value > ${value}`)
  }
}
