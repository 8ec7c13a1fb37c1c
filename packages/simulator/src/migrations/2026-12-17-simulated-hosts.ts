import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Hosts that were enrolled, with the slots that they keep. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(db, dialect, 'simulated_host', { serial: 'text', cubby: 'int', address: 'text?' }, [
    'serial',
  ])
