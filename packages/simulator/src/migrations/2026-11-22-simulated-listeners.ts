import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** The ports on which programs of guests listen that were started at a console. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'simulated_listener',
    { machine_id: 'text', port: 'int', peer: 'text?', lease_until: 'bigint' },
    ['machine_id', 'port'],
    { machine_id: 'simulated_machine' },
  )
