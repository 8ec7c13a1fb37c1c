import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { GiB } from '../../packages/api/src/rules/index.ts'

/** Puts stopped instances into a project, past the API; the host must not be running. */
export function seedInstances(data: string, project: string, count: number): void {
  const db = new DatabaseSync(join(data, 'steading.db'))
  const row = db.prepare('select id from project where name = ?').get(project) as { id: string }
  const insert = db.prepare(
    `insert into instance (id, name, description, time_created, time_modified, project_id, ncpus,
       memory, hostname, user_data, run_state, time_run_state_updated, enable_jumbo_frames,
       start_wanted, reboot_count, generation)
     values (?, ?, 'an instance among many', ?1, ?1, ?, 2, ?, ?, '', 'stopped', ?1, 0, 0, 0, 1)`.replaceAll(
      '?1',
      `'${new Date().toISOString()}'`,
    ),
  )
  db.exec('begin')
  for (let index = 0; index < count; index++) {
    const name = `instance-${String(index).padStart(6, '0')}`
    insert.run(randomUUID(), name, row.id, 8 * GiB, name)
  }
  db.exec('commit')
  db.exec('analyze')
  db.close()
}
