import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { AddressLotKind } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Flag, Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface AddressLotTable extends Listed, SoftDeleted {
  /** All lots are in one list, the fleet's. */
  fleet_id: string
  kind: AddressLotKind
}

/** A range of addresses. Blocks may overlap, even those of one lot. */
export interface AddressLotBlockTable {
  id: string
  address_lot_id: string
  first_address: string
  last_address: string
  /** Fixed-width hex, so that text order is address order. */
  first_key: string
  last_key: string
}
export type AddressLotBlockRow = Selectable<AddressLotBlockTable>

/** Kinds of resources that hold addresses of lots. */
export type AddressHolder = 'loopback_address' | 'switch_port_settings'

/** An address held by something, of any lot. */
export interface ReservedAddressTable {
  id: string
  address_lot_block_id: string
  address_key: string
  /** With the prefix length. */
  address: string
  /** Several holders may have it, if all of them declare it anycast. */
  anycast: Flag
  holder: AddressHolder
  holder_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    address_lot: AddressLotTable
    address_lot_block: AddressLotBlockTable
    reserved_address: ReservedAddressTable
  }
}

export const addressLotTables: StoredTables = {
  address_lot: {
    marked: true,
    names: { address_lot_name: kinds.address_lot.type },
  },
  address_lot_block: { within: { address_lot_id: 'address_lot' } },
  reserved_address: { within: { address_lot_block_id: 'address_lot_block' } },
}
