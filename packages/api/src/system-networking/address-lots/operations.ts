import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { addressLotKinds } from './lot-kinds.ts'
import { NameOrId } from '../../schema.ts'
import { searched } from '../../searched.ts'
import {
  AddressLotBlockResultsPage,
  AddressLotCreate,
  AddressLotCreateResponse,
  AddressLotResultsPage,
  AddressLotSummary,
  AddressLotUses,
  AddressLotViewResponse,
} from './schemas.ts'

const tags = ['system/networking']
const path = '/v1/system/networking/address-lot'
const params = { address_lot: NameOrId }
const read = { address_lot: 'read' } as const

const networking_address_lot_list = {
  method: 'GET',
  path,
  tags,
  summary: 'List address lots',
  permission: { address_lot: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: AddressLotResultsPage },
} as const satisfies Operation

export const addressLotOperations = {
  networking_address_lot_list,
  networking_address_lot_search: searched({
    kind: 'AddressLot',
    item: AddressLotSummary,
    plain: networking_address_lot_list,
    columns: ['name', 'natural_name', 'description', 'time_created'],
    filters: { kind: addressLotKinds },
  }),
  networking_address_lot_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create an address lot with its blocks',
    permission: { address_lot: 'create' },
    body: AddressLotCreate,
    success: { status: 201, schema: AddressLotCreateResponse },
  },
  networking_address_lot_view: {
    method: 'GET',
    path: `${path}/{address_lot}`,
    tags,
    summary: 'Show an address lot with its blocks',
    permission: read,
    params,
    success: { status: 200, schema: AddressLotViewResponse },
  },
  networking_address_lot_delete: {
    method: 'DELETE',
    path: `${path}/{address_lot}`,
    tags,
    summary: 'Delete an address lot without addresses in use',
    permission: { address_lot: 'modify' },
    params,
    success: { status: 204 },
  },
  networking_address_lot_block_list: {
    method: 'GET',
    path: `${path}/{address_lot}/blocks`,
    tags,
    summary: 'List the blocks of an address lot',
    permission: read,
    params,
    ...paged('id'),
    success: { status: 200, schema: AddressLotBlockResultsPage },
  },
  networking_address_lot_use_list: {
    method: 'GET',
    path: `/x${path}/{address_lot}/uses`,
    tags: ['extensions'],
    summary: 'List the uses of an address lot: addresses, and announced networks',
    permission: read,
    params,
    success: { status: 200, schema: AddressLotUses },
  },
} as const satisfies Record<string, Operation>
