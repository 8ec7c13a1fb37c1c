import { kinds } from '@steading/api/rules'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { freeAddresses } from '../external-ips/allocate.ts'

/** @throws ApiError 400 while it is attached */
export async function deleteFloatingIp(work: Deleting, row: Row<'floating_ip'>): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.floating_ip.deletion.refusal)
  await keeping(work, 'floating_ip', row, async () => {
    await freeAddresses(work.db, [row])
    await deleteRow(work, 'floating_ip', row)
  })
}
