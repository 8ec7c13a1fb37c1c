/**
 * Reserved addresses of lots. No two holders have the same one, unless all of them declare it
 * anycast.
 */
import { addressLotMessages, parseNetwork } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { addressKey } from '../../networking/addresses/keys.ts'
import type { AddressHolder } from './table.ts'

interface Wanted {
  /** With the prefix length, in canonical text. */
  address: string
  anycast: boolean
  holder: AddressHolder
  holder_id: string
}

/**
 * Reserves an address of a lot.
 * @returns the id of its block
 * @throws ApiError 400 if it is not in the lot, or something else has it
 */
export async function reserveAddress(
  db: Db,
  lot: Row<'address_lot'>,
  { address, anycast, holder, holder_id }: Wanted,
): Promise<string> {
  const address_key = addressKey(parseNetwork(address)!)
  const blocks = await db
    .selectFrom('address_lot_block')
    .select(['id', 'first_key'])
    .where('address_lot_id', '=', lot.id)
    .where('first_key', '<=', address_key)
    .where('last_key', '>=', address_key)
    .orderBy('first_key')
    .orderBy('id')
    .execute()
  // Keys of the two versions have different lengths and cannot be compared.
  const block = blocks.find(({ first_key }) => first_key.length === address_key.length)
  if (!block) throw fail.invalidRequest(addressLotMessages.notInLot)
  let others = db.selectFrom('reserved_address').select('id').where('address_key', '=', address_key)
  if (anycast) others = others.where('anycast', '=', 0)
  if (await others.limit(1).executeTakeFirst()) {
    throw fail.invalidRequest(addressLotMessages.unavailable)
  }
  await db
    .insertInto('reserved_address')
    .values({
      id: crypto.randomUUID(),
      address_lot_block_id: block.id,
      address_key,
      address,
      anycast: anycast ? 1 : 0,
      holder,
      holder_id,
    })
    .execute()
  return block.id
}

/** Releases all addresses of a holder. */
export async function releaseAddresses(
  db: Db,
  holder: AddressHolder,
  holderId: string,
): Promise<void> {
  await db
    .deleteFrom('reserved_address')
    .where('holder', '=', holder)
    .where('holder_id', '=', holderId)
    .execute()
}
