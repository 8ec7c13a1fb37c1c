import { kinds } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { freeAddresses } from '../external-ips/allocate.ts'

/** @throws ApiError 400 while it is attached */
export async function deleteFloatingIp(
  { db, emit }: Writing,
  row: Row<'floating_ip'>,
): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.floating_ip.deletion.refusal)
  await db.deleteFrom('external_ip').where('id', '=', row.id).execute()
  await freeAddresses(db, [row])
  await emit('floating_ip', 'delete', row)
}
