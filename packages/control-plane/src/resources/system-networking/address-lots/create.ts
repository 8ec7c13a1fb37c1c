import type { Wire } from '@steading/api'
import { blocksProblem, canonicalBlock, FLEET_ID, parseAddress } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { named } from '../../../kernel/search/name-key.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addressKey } from '../../networking/addresses/keys.ts'
import type { AddressLotBlockRow } from './table.ts'

/** @throws ApiError 400 for a taken name, or invalid blocks */
export async function createLot(
  { db, now, emit }: Writing,
  { name, description, kind, blocks: wanted }: Wire.AddressLotCreate,
): Promise<{ lot: Row<'address_lot'>; blocks: AddressLotBlockRow[] }> {
  const problem = blocksProblem(wanted)
  if (problem) throw fail.invalidRequest(problem)
  await requireFreeName(db, 'address_lot', FLEET_ID, name)
  const time = now.toISOString()
  const lot: Row<'address_lot'> = {
    id: crypto.randomUUID(),
    fleet_id: FLEET_ID,
    ...named(name),
    description,
    kind,
    time_created: time,
    time_modified: time,
    time_deleted: null,
  }
  await db.insertInto('address_lot').values(lot).execute()
  const blocks = wanted.map(canonicalBlock).map((block): AddressLotBlockRow => ({
    id: crypto.randomUUID(),
    address_lot_id: lot.id,
    ...block,
    first_key: addressKey(parseAddress(block.first_address)!),
    last_key: addressKey(parseAddress(block.last_address)!),
  }))
  if (blocks.length > 0) await db.insertInto('address_lot_block').values(blocks).execute()
  await emit('address_lot', 'create', lot)
  return { lot, blocks }
}
