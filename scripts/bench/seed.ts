import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GiB } from '../../packages/api/src/rules/index.ts'

/**
 * Puts instances without machines into a project, a tenth of them failed, past the API; the host
 * must not be running.
 * @param ncpus that so many can run at once may take less than usual
 */
export function seedInstances(data: string, project: string, count: number, ncpus = 2): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const row = db.prepare('select id from project where name = ?').get(project) as { id: string }
  const insert = db.prepare(
    `insert into instance (id, name, description, time_created, time_modified, project_id, ncpus,
       memory, hostname, user_data, run_state, time_run_state_updated, enable_jumbo_frames,
       start_wanted, reboot_count, generation)
     values (:id, :name, 'an instance among many', :time, :time, :project, :ncpus,
       :memory, :name, '', :state, :time, 0, 0, 0, 1)`,
  )
  db.exec('begin')
  const began = Date.now()
  for (let index = 0; index < count; index++) {
    const time = new Date(began - index * 1000).toISOString()
    const state = index % 10 === 0 ? 'failed' : 'stopped'
    const name = `instance-${String(index).padStart(6, '0')}`
    const memory = (1 + (index % 7)) * GiB
    insert.run({ id: randomUUID(), name, time, project: row.id, ncpus, memory, state })
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}
