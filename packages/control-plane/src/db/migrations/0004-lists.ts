import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/**
 * An index for each sort of the lists that can be searched; that of the names is there. Rows of the
 * same value are in the order of their ids.
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

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(sorts)) {
    const parent = table === 'project' ? 'silo_id' : 'project_id'
    for (const [name, column] of Object.entries(columns)) {
      await index(db, `${table}_by_${name}`, table, [parent, column, 'id'], { where: live })
    }
  }
}
