import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { nameKey } from '../kernel/search/name-key.ts'
import { index, live } from './build.ts'

/** A list that can be searched, and the condition of its rows. */
interface List {
  table: string
  /** The first part of the name of its index. */
  name?: string
  parent: string[]
  rows?: string
}

const lists: List[] = [
  { table: 'instance', parent: ['project_id'] },
  { table: 'disk', parent: ['project_id'] },
  { table: 'project', parent: ['silo_id'] },
  { table: 'snapshot', parent: ['project_id'] },
  {
    table: 'image',
    name: 'image_project',
    parent: ['project_id'],
    rows: `${live} and project_id is not null`,
  },
  {
    table: 'image',
    name: 'image_silo',
    parent: ['silo_id'],
    rows: `${live} and project_id is null`,
  },
  {
    table: 'external_ip',
    name: 'floating_ip',
    parent: ['project_id'],
    rows: 'name is not null',
  },
  { table: 'affinity_group', parent: ['project_id', 'kind'] },
  { table: 'ssh_key', parent: ['silo_user_id'] },
]

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

/** Adds the column by which names are sorted in the order of their numbers, with its indexes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const type = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  for (const table of new Set(lists.map((list) => list.table))) {
    await db.schema.alterTable(table).addColumn('name_key', type).execute()
    await fill(db, table)
  }
  for (const { table, name = table, parent, rows = live } of lists) {
    await index(db, `${name}_by_natural_name`, table, [...parent, 'name_key'], { where: rows })
  }
}
