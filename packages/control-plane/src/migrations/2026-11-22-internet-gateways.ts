import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { identity, index, live, table } from './build.ts'
import { makeSearchable } from './searched.ts'

/** Makes gateways a searchable list, and adds the addresses attached to them. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await makeSearchable(db, dialect, 'internet_gateway', 'vpc_id')
  const address = 'internet_gateway_ip_address'
  await table(
    db,
    dialect,
    address,
    { ...identity, time_deleted: 'text?', internet_gateway_id: 'text', address: 'text' },
    ['id'],
  )
  await index(db, `${address}_name`, address, ['internet_gateway_id', 'name'], {
    unique: true,
    where: live,
  })
  await index(db, `${address}_deleted`, address, ['time_deleted'], {
    where: 'time_deleted is not null',
  })
}
