import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Machines that boot by UEFI. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('libvirt_volume').addColumn('firmware', 'text').execute()
  const columns = { volume_id: 'text', data: 'text' }
  await table(db, dialect, 'libvirt_firmware_variables', columns, ['volume_id'])
}
