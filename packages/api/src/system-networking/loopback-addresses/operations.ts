import { uint8, uuid } from '../../schema.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import {
  addressInPath,
  LoopbackAddress,
  LoopbackAddressCreate,
  LoopbackAddressDetails,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const loopbackAddressOperations = usual('loopback_address', {
  item: LoopbackAddress,
  id: 'networking_loopback_address',
  path: '/v1/system/networking/loopback-address/{rack_id}/{switch_slot}/{address}/{subnet_mask}',
  tag: 'system/networking',
})({
  networking_loopback_address_list: {
    route: 'GET /v1/system/networking/loopback-address',
    summary: 'List loopback addresses',
    sort: 'id',
  },
  networking_loopback_address_detail_list: {
    route: 'GET /x/v1/system/networking/loopback-address',
    summary: 'List loopback addresses with their address lots',
    permission: { loopback_address: 'list' },
    pages: LoopbackAddressDetails,
    sort: 'id',
  },
  networking_loopback_address_create: {
    route: 'POST /v1/system/networking/loopback-address',
    summary: 'Add a loopback address to a switch',
    permission: { loopback_address: 'create', address_lot: 'read', rack: 'read' },
    body: LoopbackAddressCreate,
  },
  networking_loopback_address_delete: {
    summary: 'Remove a loopback address from a switch',
    params: {
      rack_id: uuid,
      switch_slot: SwitchSlot,
      address: addressInPath,
      subnet_mask: uint8,
    },
  },
})
