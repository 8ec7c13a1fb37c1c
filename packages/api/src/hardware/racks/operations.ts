import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import {
  Rack,
  RackMembershipAddSledsRequest,
  RackMembershipStatus,
  RackMembershipVersion,
  RackResultsPage,
  UninitializedSledResultsPage,
} from './schemas.ts'

const tags = ['system/hardware']
const experimental = ['experimental']
const path = '/v1/system/hardware/racks'

export const rackOperations = {
  rack_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List racks',
    permission: { rack: 'list' },
    ...paged('id'),
    success: { status: 200, schema: RackResultsPage },
  },
  rack_view: {
    method: 'GET',
    path: `${path}/{rack_id}`,
    tags,
    summary: 'Show a rack',
    permission: { rack: 'read' },
    params: { rack_id: uuid },
    success: { status: 200, schema: Rack },
  },
  rack_membership_status: {
    method: 'GET',
    path: `${path}/{rack_id}/membership`,
    tags: experimental,
    summary: 'Show the membership of a rack, and whether a change is in progress',
    permission: { rack: 'read' },
    params: { rack_id: uuid },
    query: { version: RackMembershipVersion.optional() },
    success: { status: 200, schema: RackMembershipStatus },
  },
  rack_membership_add_sleds: {
    method: 'POST',
    path: `${path}/{rack_id}/membership/add`,
    tags: experimental,
    summary: 'Begin to add sleds to a rack',
    permission: { rack: 'modify' },
    params: { rack_id: uuid },
    body: RackMembershipAddSledsRequest,
    success: { status: 200, schema: RackMembershipStatus },
  },
  rack_membership_abort: {
    method: 'POST',
    path: `${path}/{rack_id}/membership/abort`,
    tags: experimental,
    summary: 'Abort the current change of the rack membership',
    permission: { rack: 'modify' },
    params: { rack_id: uuid },
    success: { status: 200, schema: RackMembershipStatus },
  },
  sled_list_uninitialized: {
    method: 'GET',
    path: '/v1/system/hardware/sleds-uninitialized',
    tags,
    summary: 'List uninitialized sleds',
    permission: { sled: 'list' },
    ...paged('none'),
    success: { status: 200, schema: UninitializedSledResultsPage },
  },
} as const satisfies Record<string, Operation>
