import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/**
 * Indexes to find the contents of a subnet, and the things made of a disk, a snapshot or an image.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, 'network_interface_subnet', 'network_interface', ['subnet_id', 'instance_id'])
  await index(db, 'snapshot_of_disk', 'snapshot', ['disk_id', 'name'])
  // Deleted snapshots as well, because images made of them still exist.
  await index(db, 'snapshot_of_project', 'snapshot', ['project_id', 'id'])
  for (const source of ['snapshot', 'image']) {
    const where = `${live} and ${source}_id is not null`
    await index(db, `disk_of_${source}`, 'disk', [`${source}_id`, 'name'], { where })
  }
}
