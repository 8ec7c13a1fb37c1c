import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** The slots of the power shelf that are empty. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(db, dialect, 'simulated_power_gap', { slot: 'int' }, ['slot'])
