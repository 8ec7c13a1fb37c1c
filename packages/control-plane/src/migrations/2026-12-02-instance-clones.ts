import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciled, reconciledIndexes, table } from './build.ts'

/** Clones of instances, with their disks and the snapshots that are deleted afterwards. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const clone = {
    id: 'text',
    instance_id: 'text',
    name: 'text',
    project_id: 'text',
    source_id: 'text',
    source_name: 'text',
    source_project_id: 'text',
    user_name: 'text',
    state: 'text',
    reason: 'text?',
    time_started: 'text',
    time_finished: 'text?',
    ...reconciled,
  }
  await table(db, dialect, 'instance_clone', clone, ['id'])
  const indexed = (name: string, on: string[], where?: string) =>
    index(db, `instance_clone_${name}`, 'instance_clone', on, where ? { where } : {})
  await indexed('of_instance', ['instance_id'])
  await indexed('of_project', ['project_id'])
  await reconciledIndexes(db, 'instance_clone')

  const disk = { clone_id: 'text', disk_id: 'text', snapshot_id: 'text?', temporary: 'int' }
  await table(db, dialect, 'instance_clone_disk', disk, ['clone_id', 'disk_id'])
}
