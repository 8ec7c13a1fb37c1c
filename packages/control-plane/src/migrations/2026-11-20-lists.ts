import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/**
 * An index for each sort of the lists that can be searched; the index of the names exists already.
 * Rows with the same value are in the order of their ids.
 */
const sorts = {
  instance: {
    state: 'run_state',
    state_updated: 'time_run_state_updated',
    ncpus: 'ncpus',
    memory: 'memory',
    created: 'time_created',
    restarted: "coalesce(time_last_auto_restarted, '')",
  },
  disk: { state: 'state', type: 'disk_type', size: 'size', created: 'time_created' },
  project: { description: 'description', created: 'time_created' },
}

/**
 * The columns of the index for searches, filters and counts, which then read only the index. It is
 * partial on the condition that the name is not empty, which is always true: only queries with that
 * condition use it, so the database does not choose it where the index of a sort is better.
 */
const searches = { instance: ['run_state'], disk: ['state', 'disk_type'], project: [] }

const parentOf = (table: string) => (table === 'project' ? 'silo_id' : 'project_id')

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, filters] of Object.entries(searches)) {
    const columns = [parentOf(table), 'name', 'description', ...filters, 'id', 'time_deleted']
    await index(db, `${table}_search`, table, columns, { where: `${live} and name <> ''` })
  }
  for (const [table, columns] of Object.entries(sorts)) {
    for (const [name, column] of Object.entries(columns)) {
      await index(db, `${table}_by_${name}`, table, [parentOf(table), column, 'id'], {
        where: live,
      })
    }
  }
}
