import { restoreMessages } from '@steading/api/rules'
import { ApiError } from '../../../kernel/errors.ts'
import { type Row } from '../../../kernel/kinds.ts'
import { addressOfKey } from '../addresses/keys.ts'
import { takeAddress, takeThisAddress } from '../ip-pools/addresses.ts'
import { CannotRestore, type Restoring } from '../../workspace/deleted-resources/restoration.ts'
import { takeSnat } from './allocate.ts'
import { poolsOf } from './pools.ts'

/** Takes an address of its pool again: the same one, or another one if that is in use. */
export async function restoreAddress(
  { work: { db, actor }, note }: Restoring,
  row: Row<'external_ip'>,
): Promise<Row<'external_ip'>> {
  const pool = await poolsOf(db, actor.siloId)
    .where('pool.id', '=', row.ip_pool_id)
    .executeTakeFirst()
  if (!pool) throw new CannotRestore(restoreMessages.poolUnlinked)
  try {
    if (row.kind === 'snat') {
      // No user depends on the address of outbound translation.
      const { key, firstPort } = await takeSnat(db, pool)
      const last_port = firstPort + row.last_port - row.first_port
      const ip = addressOfKey(key, pool.ip_version)
      return { ...row, ip, ip_key: key, first_port: firstPort, last_port }
    }
    if (await takeThisAddress(db, pool, row.ip_key)) return row
    const key = await takeAddress(db, pool)
    const ip = addressOfKey(key, pool.ip_version)
    note(restoreMessages.otherAddress(row.ip, ip))
    return { ...row, ip, ip_key: key }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new CannotRestore(restoreMessages.noAddress(row.ip))
  }
}
