import { kinds } from '@steading/api/rules'
import { deleteRow } from '../../../kernel/named-rows.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row } from '../../../kernel/kinds.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { freeSubnet } from './allocate.ts'

/** @throws ApiError 400 while it is attached */
export async function deleteExternalSubnet(
  work: Deleting,
  row: Row<'external_subnet'>,
): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.external_subnet.deletion.refusal)
  await keeping(work, 'external_subnet', row, async () => {
    await freeSubnet(work.db, row)
    await deleteRow(work, 'external_subnet', row)
  })
}
