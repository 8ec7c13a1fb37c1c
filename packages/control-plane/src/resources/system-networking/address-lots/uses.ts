import type { Wire } from '@steading/api'
import { parseNetwork } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { addressKey, byAddress } from '../../networking/addresses/keys.ts'

type Lot = Pick<Row<'address_lot'>, 'id'>

const reservedIn = (db: Db, { id }: Lot) =>
  db
    .selectFrom('reserved_address as reserved')
    .innerJoin('address_lot_block as block', 'block.id', 'reserved.address_lot_block_id')
    .where('block.address_lot_id', '=', id)

const announcedIn = (db: Db, { id }: Lot) =>
  db
    .selectFrom('bgp_announcement as announcement')
    .innerJoin('address_lot_block as block', 'block.id', 'announcement.address_lot_block_id')
    .innerJoin('bgp_announce_set as its', 'its.id', 'announcement.announce_set_id')
    .where('block.address_lot_id', '=', id)

/** Whether an address of a lot is reserved, or a network of it announced. */
export async function isInUse(db: Db, lot: Lot): Promise<boolean> {
  const reserved = await reservedIn(db, lot).select('reserved.id').limit(1).executeTakeFirst()
  if (reserved) return true
  const announced = await announcedIn(db, lot).select('its.id').limit(1).executeTakeFirst()
  return announced !== undefined
}

/** The holders of addresses of a lot and the announcements of its networks, by address. */
export async function usesOf(db: Db, lot: Lot): Promise<Wire.AddressLotUse[]> {
  const reserved = await reservedIn(db, lot)
    .leftJoin('switch_port_settings as settings', 'settings.id', 'reserved.holder_id')
    .select(['reserved.holder', 'holder_id', 'address_lot_block_id', 'address', 'settings.name'])
    .execute()
  const announced = await announcedIn(db, lot)
    .select(['its.id', 'its.name', 'address_lot_block_id', 'network'])
    .execute()
  const uses: Wire.AddressLotUse[] = [
    ...reserved.map(({ holder, holder_id, address_lot_block_id, address, name }) => ({
      kind: holder,
      id: holder_id,
      name,
      address_lot_block_id,
      network: address,
    })),
    ...announced.map((announcement) => ({ kind: 'bgp_announce_set' as const, ...announcement })),
  ]
  const keyOf = ({ network }: Wire.AddressLotUse) => addressKey(parseNetwork(network)!)
  return uses.toSorted((a, b) => byAddress(keyOf(a), keyOf(b)))
}
