import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/** A list that can be searched, as in `2026-11-20-lists.ts`. */
interface List {
  table: string
  /** The first part of the names of its indexes. */
  name?: string
  /** Columns that say which list a row is in. */
  parent: string[]
  rows?: string
  /** Columns of the index for searches and filters; only for lists that do not have one yet. */
  searched?: string[]
  /** Name of the index → column, for each sort; the index of the names exists already. */
  sorts: Record<string, string>
}

const described = ['name', 'description']
const usual = { description: 'description', created: 'time_created' }
const image = {
  table: 'image',
  searched: [...described, 'os', 'version', 'time_deleted'],
  sorts: { ...usual, os: 'os', version: 'version', size: 'size' },
}

const lists: List[] = [
  // The indexes of their other sorts exist already.
  { table: 'instance', parent: ['project_id'], sorts: { description: 'description' } },
  { table: 'disk', parent: ['project_id'], sorts: { description: 'description' } },
  {
    table: 'snapshot',
    parent: ['project_id'],
    searched: [...described, 'state', 'time_deleted'],
    sorts: { ...usual, state: 'state', size: 'size' },
  },
  {
    ...image,
    name: 'image_project',
    parent: ['project_id'],
    rows: `${live} and project_id is not null`,
  },
  {
    ...image,
    name: 'image_silo',
    parent: ['silo_id'],
    rows: `${live} and project_id is null`,
    searched: [...image.searched, 'project_id'],
  },
  {
    table: 'external_ip',
    name: 'floating_ip',
    parent: ['project_id'],
    rows: 'name is not null',
    searched: [...described, 'ip', "coalesce(instance_id, '')", 'ip_pool_id'],
    // The last two are filters, not sorts.
    sorts: { ...usual, ip: 'ip_key', instance: "coalesce(instance_id, '')", pool: 'ip_pool_id' },
  },
  {
    table: 'affinity_group',
    parent: ['project_id', 'kind'],
    searched: [...described, 'policy', 'time_deleted'],
    sorts: { ...usual, policy: 'policy' },
  },
  {
    table: 'ssh_key',
    parent: ['silo_user_id'],
    searched: [...described, 'time_deleted'],
    sorts: usual,
  },
]

/** Adds the indexes for the lists that can be searched from this version on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { table, name = table, parent, rows = live, searched, sorts } of lists) {
    for (const [sort, column] of Object.entries(sorts)) {
      await index(db, `${name}_by_${sort}`, table, [...parent, column, 'id'], { where: rows })
    }
    if (searched) {
      const where = `${rows} and name <> ''`
      await index(db, `${name}_search`, table, [...parent, ...searched, 'id'], { where })
    }
  }
}
