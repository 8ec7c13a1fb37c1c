import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { addNameKeys } from './name-keys.ts'

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

/** Adds the column by which names are sorted in the order of their numbers, with its indexes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const table of new Set(lists.map((list) => list.table))) {
    await addNameKeys(db, dialect, table)
  }
  for (const { table, name = table, parent, rows = live } of lists) {
    await index(db, `${name}_by_natural_name`, table, [...parent, 'name_key'], { where: rows })
  }
}
