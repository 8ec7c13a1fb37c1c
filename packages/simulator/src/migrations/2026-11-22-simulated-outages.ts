import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Routers at uplinks that are silent, or were. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'simulated_outage',
    { switch_slot: 'text', address: 'text', time_began: 'text', time_ended: 'text?' },
    ['switch_slot', 'address'],
  )
