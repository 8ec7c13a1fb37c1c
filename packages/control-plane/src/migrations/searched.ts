import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { addNameKeys } from './name-keys.ts'

/**
 * Makes the things of a table that is there a list that can be searched: with the key of the names,
 * and an index for each sort and filter, for searches, and for finding names in the whole silo.
 * @param own columns that are sorted or filtered by besides the usual ones
 * @param searched columns that a search looks into besides name and description
 */
export async function makeSearchable(
  db: Kysely<unknown>,
  dialect: Dialect,
  table: string,
  parent: string,
  own: readonly string[] = [],
  searched: readonly string[] = [],
): Promise<void> {
  await addNameKeys(db, dialect, table)
  await index(db, `${table}_by_natural_name`, table, [parent, 'name_key'], { where: live })
  for (const column of ['description', 'time_created', ...own]) {
    await index(db, `${table}_by_${column}`, table, [parent, column, 'id'], { where: live })
  }
  const looked = [...new Set(['name', 'description', ...searched, ...own])]
  await index(db, `${table}_search`, table, [parent, ...looked, 'time_deleted', 'id'], {
    where: `${live} and name <> ''`,
  })
  await index(db, `${table}_found`, table, ['name'], { where: live })
}
