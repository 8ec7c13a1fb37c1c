import { restoreMessages } from '@steading/api/rules'
import { type Row } from '../../../kernel/kinds.ts'
import { takeBlock } from '../addresses/blocks.ts'
import { CannotRestore, type Restoring } from '../../workspace/deleted-resources/restoration.ts'

/** Takes the network of an external subnet again; another one would not be the same subnet. */
export async function restoreExternalSubnet(
  { work: { db } }: Restoring,
  row: Row<'external_subnet'>,
): Promise<Row<'external_subnet'>> {
  const { first_key, prefix_length } = row
  if (!(await takeBlock(db, row.subnet_pool_member_id, { first_key, prefix_length }))) {
    throw new CannotRestore(restoreMessages.subnetInUse(row.subnet))
  }
  return row
}
