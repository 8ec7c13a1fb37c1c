import { deleteRow } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { giveBackAddress } from '../ip-pools/addresses.ts'
import { freeInterfaceAddresses } from '../network-interfaces/subnet-addresses.ts'
import type { ProbeRow } from './wire.ts'

export async function deleteProbe(work: Writing, row: ProbeRow): Promise<void> {
  await freeInterfaceAddresses(work.db, [row])
  await giveBackAddress(work.db, row.ip_pool_id, row.ip_key)
  await deleteRow(work, 'probe', row)
}
