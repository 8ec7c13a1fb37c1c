import type { Wire } from '@steading/api'
import { blocksProblem, canonicalBlock, FLEET_ID, parseAddress } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addressKey } from '../../networking/addresses/keys.ts'
import type { AddressLotBlockRow } from './table.ts'

/** @throws ApiError 400 for a taken name, or invalid blocks */
export async function createLot(
  work: Writing,
  { kind, blocks: wanted, ...described }: Wire.AddressLotCreate,
): Promise<{ lot: Row<'address_lot'>; blocks: AddressLotBlockRow[] }> {
  const problem = blocksProblem(wanted)
  if (problem) throw fail.invalidRequest(problem)
  const lot = await insertNamed(work, 'address_lot', described, { fleet_id: FLEET_ID, kind })
  const blocks = wanted.map(canonicalBlock).map((block): AddressLotBlockRow => ({
    id: crypto.randomUUID(),
    address_lot_id: lot.id,
    ...block,
    first_key: addressKey(parseAddress(block.first_address)!),
    last_key: addressKey(parseAddress(block.last_address)!),
  }))
  if (blocks.length > 0) await work.db.insertInto('address_lot_block').values(blocks).execute()
  return { lot, blocks }
}
