import { addressLotKinds } from './lot-kinds.ts'
import {
  AddressLot,
  AddressLotBlock,
  AddressLotCreate,
  AddressLotCreateResponse,
  AddressLotSummary,
  AddressLotUses,
  AddressLotViewResponse,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const addressLotOperations = usual('address_lot', {
  item: AddressLotViewResponse,
  id: 'networking_address_lot',
  path: '/v1/system/networking/address-lot/{address_lot}',
  tag: 'system/networking',
})({
  networking_address_lot_list: { pages: AddressLot },
  networking_address_lot_search: {
    pages: AddressLotSummary,
    items: 'AddressLot',
    filters: { kind: addressLotKinds },
  },
  networking_address_lot_create: {
    summary: 'Create an address lot with its blocks',
    body: AddressLotCreate,
    answer: AddressLotCreateResponse,
  },
  networking_address_lot_view: { summary: 'Show an address lot with its blocks' },
  networking_address_lot_delete: { summary: 'Delete an address lot without addresses in use' },
  networking_address_lot_block_list: {
    route: 'GET blocks',
    summary: 'List the blocks of an address lot',
    pages: AddressLotBlock,
    sort: 'id',
  },
  networking_address_lot_use_list: {
    route: 'GET uses',
    extension: true,
    summary: 'List the uses of an address lot: addresses, and announced networks',
    answer: AddressLotUses,
  },
})
