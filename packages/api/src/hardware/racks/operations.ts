import { resultsPage } from '../../schema.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import {
  Rack,
  RackMembershipAddSledsRequest,
  RackMembershipStatus,
  RackMembershipVersion,
  UninitializedSled,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const tags = ['system/hardware']

export const rackOperations = {
  ...usual('rack', {
    item: Rack,
    path: '/v1/system/hardware/racks/{rack_id}',
    tag: 'system/hardware',
  })({
    list: { sort: 'id' },
    view: {},
    membership_status: {
      route: 'GET membership',
      tags: ['experimental'],
      summary: 'Show the membership of a rack, and whether a change is in progress',
      query: { version: RackMembershipVersion.optional() },
      answer: RackMembershipStatus,
    },
    membership_add_sleds: {
      route: 'POST membership/add',
      tags: ['experimental'],
      summary: 'Begin to add sleds to a rack',
      body: RackMembershipAddSledsRequest,
      success: { status: 200, schema: RackMembershipStatus },
    },
    membership_abort: {
      route: 'POST membership/abort',
      tags: ['experimental'],
      summary: 'Abort the current change of the rack membership',
      success: { status: 200, schema: RackMembershipStatus },
    },
  }),
  sled_list_uninitialized: {
    method: 'GET',
    path: '/v1/system/hardware/sleds-uninitialized',
    tags,
    summary: 'List uninitialized sleds',
    permission: { sled: 'list' },
    ...paged('none'),
    success: { status: 200, schema: resultsPage(UninitializedSled) },
  },
} as const satisfies Record<string, Operation>
