import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { nameKey } from '@steading/api/rules'
import { textType } from './build.ts'

/** Rows whose keys are written by one statement. */
const SOME = 1000

/** Numbers in names have a sort key that only this program can make; other names are their own. */
async function fill(db: Kysely<unknown>, table: string): Promise<void> {
  const rows = sql.table(table)
  await sql`update ${rows} set name_key = name where name is not null`.execute(db)
  for (let last = ''; ;) {
    const { rows: some } = await sql<{ id: string; name: string }>`
      select id, name from ${rows} where id > ${last} and name is not null order by id limit ${SOME}
    `.execute(db)
    if (some.length === 0) return
    last = some.at(-1)!.id
    const numbered = some.filter(({ name }) => /\d/.test(name))
    if (numbered.length === 0) continue
    const keys = numbered.map(({ id, name }) => sql`(${id}, ${nameKey(name)})`)
    await sql`
      with keys (id, name_key) as (values ${sql.join(keys)})
      update ${rows} set name_key = keys.name_key from keys where keys.id = ${rows}.id
    `.execute(db)
  }
}

/** Adds the column by which the names of a table are sorted in the order of their numbers. */
export async function addNameKeys(
  db: Kysely<unknown>,
  dialect: Dialect,
  table: string,
): Promise<void> {
  const type = textType(dialect)
  await db.schema.alterTable(table).addColumn('name_key', type).execute()
  await fill(db, table)
}
