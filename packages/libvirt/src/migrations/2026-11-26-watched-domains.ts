import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Reports about hosts, and their domains that belong to no machine. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('libvirt_host').addColumn('report', 'text').execute()
  await table(
    db,
    dialect,
    'libvirt_lost_domain',
    { host: 'text', uuid: 'text', name: 'text', uri: 'text', time_found: 'text' },
    ['host', 'uuid'],
  )
}
