import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Directories of storage pools besides the first one, and the layers and volumes in them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = { id: 'text', path: 'text', token: 'text', made: 'int' }
  await table(db, dialect, 'libvirt_pool', columns, ['id'])
  await table(db, dialect, 'libvirt_transfer', { volume_id: 'text', layer_id: 'text' }, [
    'volume_id',
  ])
  for (const name of ['libvirt_layer', 'libvirt_volume']) {
    await db.schema.alterTable(name).addColumn('pool_id', 'text').execute()
  }
}
