import {
  Rack,
  RackMembershipAddSledsRequest,
  RackMembershipStatus,
  RackMembershipVersion,
  UninitializedSled,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const rackOperations = usual('rack', {
  item: Rack,
  path: '/v1/system/hardware/racks/{rack_id}',
  tag: 'system/hardware',
})({
  rack_list: { sort: 'id' },
  rack_view: {},
  rack_membership_status: {
    route: 'GET membership',
    tags: ['experimental'],
    summary: 'Show the membership of a rack, and whether a change is in progress',
    query: { version: RackMembershipVersion.optional() },
    answer: RackMembershipStatus,
  },
  rack_membership_add_sleds: {
    route: 'POST membership/add',
    tags: ['experimental'],
    summary: 'Begin to add sleds to a rack',
    body: RackMembershipAddSledsRequest,
    success: { status: 200, schema: RackMembershipStatus },
  },
  rack_membership_abort: {
    route: 'POST membership/abort',
    tags: ['experimental'],
    summary: 'Abort the current change of the rack membership',
    success: { status: 200, schema: RackMembershipStatus },
  },
  sled_list_uninitialized: {
    route: 'GET /v1/system/hardware/sleds-uninitialized',
    summary: 'List uninitialized sleds',
    permission: { sled: 'list' },
    pages: UninitializedSled,
    sort: 'none',
  },
})
