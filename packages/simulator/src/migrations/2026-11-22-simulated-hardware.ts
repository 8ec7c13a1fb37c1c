import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** The hardware of the simulated rack. It is filled when the control plane first looks at it. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'simulated_sled',
    {
      serial: 'text',
      part: 'text',
      revision: 'int',
      cubby: 'int',
      threads: 'int',
      ram: 'bigint',
      cpu_platform: 'text',
      down: 'int',
      sled_id: 'text?',
    },
    ['serial'],
  )
  await table(
    db,
    dialect,
    'simulated_disk',
    {
      serial: 'text',
      sled_serial: 'text',
      vendor: 'text',
      model: 'text',
      form_factor: 'text',
      slot: 'int',
      size: 'bigint',
      failed: 'int',
    },
    ['serial'],
  )
  await table(
    db,
    dialect,
    'simulated_switch',
    { serial: 'text', part: 'text', revision: 'int', slot: 'text' },
    ['serial'],
  )
}
