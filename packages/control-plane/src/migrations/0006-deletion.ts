import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/** What is in a subnet, and what was made of a disk, a snapshot or an image. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await index(db, 'network_interface_subnet', 'network_interface', ['subnet_id', 'instance_id'])
  await index(db, 'snapshot_of_disk', 'snapshot', ['disk_id', 'name'])
  // Deleted ones as well: images made of those live on.
  await index(db, 'snapshot_of_project', 'snapshot', ['project_id', 'id'])
  for (const source of ['snapshot', 'image']) {
    const where = `${live} and ${source}_id is not null`
    await index(db, `disk_of_${source}`, 'disk', [`${source}_id`, 'name'], { where })
  }
}
