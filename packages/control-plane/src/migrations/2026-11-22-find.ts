import type { Kysely } from 'kysely'
import { index, live } from './build.ts'

/** Tables whose names are searched across the silo, with the condition for their live rows. */
const named = {
  instance: live,
  disk: live,
  snapshot: live,
  image: live,
  affinity_group: live,
  external_ip: 'name is not null',
}

/** Indexes for searches in lists and across the silo. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, where] of Object.entries(named)) {
    await index(db, `${table}_found`, table, ['name'], { where })
  }
  await index(db, 'external_ip_ip', 'external_ip', ['ip'])
  await index(db, 'external_ip_project_ip', 'external_ip', ['project_id', 'ip'])
  for (const column of ['mac', 'ipv4', 'ipv6']) {
    const where = `${column} is not null`
    await index(db, `network_interface_found_${column}`, 'network_interface', [column], { where })
    await index(db, `network_interface_vpc_${column}`, 'network_interface', ['vpc_id', column], {
      where,
    })
  }
}
