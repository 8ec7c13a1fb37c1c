import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uint8, uuid } from '../../schema.ts'
import { SwitchSlot } from '../../hardware/switches/schemas.ts'
import {
  addressInPath,
  LoopbackAddress,
  LoopbackAddressCreate,
  LoopbackAddressDetailsResultsPage,
  LoopbackAddressResultsPage,
} from './schemas.ts'

const tags = ['system/networking']
const path = '/v1/system/networking/loopback-address'

export const loopbackAddressOperations = {
  networking_loopback_address_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List loopback addresses',
    permission: { loopback_address: 'list' },
    ...paged('id'),
    success: { status: 200, schema: LoopbackAddressResultsPage },
  },
  networking_loopback_address_detail_list: {
    method: 'GET',
    path: `/x${path}`,
    tags: ['extensions'],
    summary: 'List loopback addresses with their address lots',
    permission: { loopback_address: 'list' },
    ...paged('id'),
    success: { status: 200, schema: LoopbackAddressDetailsResultsPage },
  },
  networking_loopback_address_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Add a loopback address to a switch',
    permission: { loopback_address: 'create', address_lot: 'read', rack: 'read' },
    body: LoopbackAddressCreate,
    success: { status: 201, schema: LoopbackAddress },
  },
  networking_loopback_address_delete: {
    method: 'DELETE',
    path: `${path}/{rack_id}/{switch_slot}/{address}/{subnet_mask}`,
    tags,
    summary: 'Remove a loopback address from a switch',
    permission: { loopback_address: 'modify' },
    params: {
      rack_id: uuid,
      switch_slot: SwitchSlot,
      address: addressInPath,
      subnet_mask: uint8,
    },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
