import type { Writing } from '../../../kernel/work.ts'
import { giveBackAddress } from '../ip-pools/addresses.ts'
import { freeInterfaceAddresses } from '../network-interfaces/subnet-addresses.ts'
import type { ProbeRow } from './wire.ts'

export async function deleteProbe({ db, emit }: Writing, row: ProbeRow): Promise<void> {
  await db.deleteFrom('probe').where('id', '=', row.id).execute()
  await freeInterfaceAddresses(db, [row])
  await giveBackAddress(db, row.ip_pool_id, row.ip_key)
  await emit('probe', 'delete', row)
}
