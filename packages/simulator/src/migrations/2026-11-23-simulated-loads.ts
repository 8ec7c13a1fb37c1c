import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Work that machines are made to do on purpose. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'simulated_load',
    {
      machine_id: 'text',
      time_began: 'bigint',
      time_ended: 'bigint?',
      cpu: 'int',
      disk: 'int',
      network: 'int',
    },
    ['machine_id', 'time_began'],
  )
