import { kinds } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Writing } from '../../../kernel/work.ts'
import { freeSubnet } from './allocate.ts'
import type { ExternalSubnetRow } from './wire.ts'

/** @throws ApiError 400 while it is attached */
export async function deleteExternalSubnet(
  { db, emit }: Writing,
  row: ExternalSubnetRow,
): Promise<void> {
  if (row.instance_id !== null) throw fail.invalidRequest(kinds.external_subnet.deletion.refusal)
  await db.deleteFrom('external_subnet').where('id', '=', row.id).execute()
  await freeSubnet(db, row)
  await emit('external_subnet', 'delete', row)
}
