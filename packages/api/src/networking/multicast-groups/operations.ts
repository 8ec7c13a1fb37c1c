import { multicastGroupStates } from './states.ts'
import { NamesOrIds } from '../../schema.ts'
import { SearchText } from '../../searched.ts'
import {
  InstanceMulticastGroupJoin,
  ListedMulticastGroup,
  MulticastGroup,
  MulticastGroupIdentifier,
  MulticastGroupMember,
  MulticastGroupMemberDetails,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const params = { multicast_group: MulticastGroupIdentifier }

export const multicastGroupOperations = {
  ...usual('multicast_group', { item: MulticastGroup, tag: 'experimental', params })({
    multicast_group_list: { summary: 'List the multicast groups' },
    multicast_group_search: {
      pages: ListedMulticastGroup,
      allColumns: ['name', 'natural_name', 'multicast_ip', 'time_created'],
      filters: { version: ['v4', 'v6'], state: multicastGroupStates, pool: NamesOrIds },
    },
    multicast_group_view: {},
    multicast_group_member_list: {
      route: 'GET members',
      summary: 'List the members of a multicast group',
      permission: { multicast_group: 'list' },
      pages: MulticastGroupMember,
      sort: 'id',
    },
    multicast_group_member_details_list: {
      route: 'GET members',
      extension: true,
      summary: 'List the members of a multicast group, with the instances that the caller may read',
      permission: { multicast_group: 'list' },
      query: { search: SearchText.optional() },
      pages: MulticastGroupMemberDetails,
      sort: 'none',
    },
  }),
  ...usual('instance', { tag: 'experimental', params })({
    instance_multicast_group_list: {
      route: 'GET multicast-groups',
      summary: 'List the multicast groups that an instance is a member of',
      permission: { instance: 'list' },
      pages: MulticastGroupMember,
      sort: 'id',
    },
    instance_multicast_group_join: {
      route: 'PUT multicast-groups/{multicast_group}',
      summary: 'Join a multicast group; create it if it does not exist',
      permission: { instance: 'modify', multicast_group: 'read' },
      body: InstanceMulticastGroupJoin,
      success: { status: 201, schema: MulticastGroupMember },
      changes: ['multicast_group'],
    },
    instance_multicast_group_leave: {
      route: 'DELETE multicast-groups/{multicast_group}',
      summary: 'Leave a multicast group; it is deleted with its last member',
      permission: { instance: 'modify', multicast_group: 'read' },
      changes: ['multicast_group'],
    },
  }),
}
