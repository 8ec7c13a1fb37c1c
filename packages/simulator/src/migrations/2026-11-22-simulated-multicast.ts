import type { Kysely } from 'kysely'
import { type Dialect, index, table } from '@steading/control-plane/engine'

export const up = async (db: Kysely<unknown>, dialect: Dialect): Promise<void> => {
  const columns = { id: 'text', address: 'text', version: 'int', receivers: 'text' }
  await table(db, dialect, 'simulated_multicast', columns, ['id'])
  await index(db, 'simulated_multicast_address', 'simulated_multicast', ['address'])
}
