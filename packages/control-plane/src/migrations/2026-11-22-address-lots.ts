import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, table } from './build.ts'

/** Address lots with their blocks, and the reserved addresses. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const lot = { ...listed, time_deleted: 'text?', fleet_id: 'text', kind: 'text' }
  await table(db, dialect, 'address_lot', lot, ['id'])
  const where = { where: live }
  await index(db, 'address_lot_name', 'address_lot', ['name'], { unique: true, ...where })
  await index(db, 'address_lot_by_name', 'address_lot', ['fleet_id', 'name'], where)
  const columns = {
    natural_name: 'name_key',
    description: 'description',
    created: 'time_created',
    // A filter, not a sort.
    kind: 'kind',
  }
  for (const [sort, column] of Object.entries(columns)) {
    await index(db, `address_lot_by_${sort}`, 'address_lot', ['fleet_id', column, 'id'], where)
  }
  const searched = ['fleet_id', 'name', 'description', 'kind', 'time_deleted', 'id']
  await index(db, 'address_lot_search', 'address_lot', searched, {
    where: `${live} and name <> ''`,
  })

  const block = {
    id: 'text',
    address_lot_id: 'text',
    first_address: 'text',
    last_address: 'text',
    first_key: 'text',
    last_key: 'text',
  }
  await table(db, dialect, 'address_lot_block', block, ['id'])
  await index(db, 'address_lot_block_lot', 'address_lot_block', ['address_lot_id', 'id'])

  const reserved = {
    id: 'text',
    address_lot_block_id: 'text',
    address_key: 'text',
    address: 'text',
    anycast: 'int',
    holder: 'text',
    holder_id: 'text',
  }
  await table(db, dialect, 'reserved_address', reserved, ['id'])
  await index(db, 'reserved_address_key', 'reserved_address', ['address_key'])
  await index(db, 'reserved_address_block', 'reserved_address', ['address_lot_block_id'])
  await index(db, 'reserved_address_holder', 'reserved_address', ['holder', 'holder_id'])
}
