import { ADDRESS_LOT_BLOCKS_MAX } from './rules.ts'
import { ip, IpNet } from '../../network.ts'
import { addressLotKinds } from './lot-kinds.ts'
import {
  identity,
  identityCreate,
  list,
  named,
  oneOf,
  record,
  ruledArray,
  string,
  uint64,
  uuid,
} from '../../schema.ts'

export const AddressLotKind = named('AddressLotKind', oneOf(...addressLotKinds))

export const AddressLot = record('AddressLot', { ...identity, kind: AddressLotKind })

const bounds = { first_address: ip, last_address: ip }
export const AddressLotBlock = record('AddressLotBlock', { id: uuid, ...bounds })

const AddressLotBlockCreate = record('AddressLotBlockCreate', bounds)
export const AddressLotCreate = record('AddressLotCreate', {
  ...identityCreate,
  kind: AddressLotKind,
  blocks: ruledArray(AddressLotBlockCreate, ADDRESS_LOT_BLOCKS_MAX),
})

const withBlocks = { lot: AddressLot, blocks: list(AddressLotBlock) }
export const AddressLotCreateResponse = record('AddressLotCreateResponse', withBlocks)
export const AddressLotViewResponse = record('AddressLotViewResponse', withBlocks)

/** A lot with a summary of its blocks, for the list. */
export const AddressLotSummary = record('AddressLotSummary', {
  ...identity,
  kind: AddressLotKind,
  /** The block with the lowest address; null for a lot without blocks. */
  first_block: AddressLotBlock.nullable(),
  block_count: uint64,
  /** Number of addresses in use, and of announced networks. */
  use_count: uint64,
})

/** An address of a lot in use, or an announced network. */
export const AddressLotUse = record('AddressLotUse', {
  kind: named(
    'AddressLotUseKind',
    oneOf('loopback_address', 'switch_port_settings', 'bgp_announce_set'),
  ),
  /** Id of its user. */
  id: uuid,
  /** Null for a loopback address, which has none. */
  name: string.nullable(),
  address_lot_block_id: uuid,
  network: IpNet,
})
export const AddressLotUses = record('AddressLotUses', { items: list(AddressLotUse) })
