import { kinds } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { freeSubnet } from './allocate.ts'
import type { ExternalSubnetRow } from './wire.ts'

/** @throws ApiError 400 while it is attached */
export async function deleteExternalSubnet(work: Deleting, row: ExternalSubnetRow): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.external_subnet.deletion.refusal)
  const { db, emit } = work
  await keeping(work, 'external_subnet', row, async () => {
    await db.deleteFrom('external_subnet').where('id', '=', row.id).execute()
    await freeSubnet(db, row)
    await emit('external_subnet', 'delete', row)
  })
}
