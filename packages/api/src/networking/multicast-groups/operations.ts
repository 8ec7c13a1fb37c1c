import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { multicastGroupStates } from './states.ts'
import { NameOrId, NamesOrIds } from '../../schema.ts'
import { searched, SearchText } from '../../searched.ts'
import {
  InstanceMulticastGroupJoin,
  ListedMulticastGroup,
  MulticastGroup,
  MulticastGroupIdentifier,
  MulticastGroupMember,
  MulticastGroupMemberDetailsResultsPage,
  MulticastGroupMemberResultsPage,
  MulticastGroupResultsPage,
} from './schemas.ts'

const tags = ['experimental']
const params = { multicast_group: MulticastGroupIdentifier }
const membership = { instance: NameOrId, multicast_group: MulticastGroupIdentifier }
const query = { project: NameOrId.optional() }

const multicast_group_list = {
  method: 'GET',
  path: '/v1/multicast-groups',
  tags,
  summary: 'List the multicast groups',
  permission: { multicast_group: 'list' },
  ...paged('name_or_id'),
  success: { status: 200, schema: MulticastGroupResultsPage },
} as const satisfies Operation

export const multicastGroupOperations = {
  multicast_group_list,
  multicast_group_search: searched({
    kind: 'MulticastGroup',
    item: ListedMulticastGroup,
    plain: multicast_group_list,
    columns: ['name', 'natural_name', 'multicast_ip', 'time_created'],
    filters: { version: ['v4', 'v6'], state: multicastGroupStates, pool: NamesOrIds },
  }),
  multicast_group_view: {
    method: 'GET',
    path: '/v1/multicast-groups/{multicast_group}',
    tags,
    summary: 'Show a multicast group',
    permission: { multicast_group: 'read' },
    params,
    success: { status: 200, schema: MulticastGroup },
  },
  multicast_group_member_list: {
    method: 'GET',
    path: '/v1/multicast-groups/{multicast_group}/members',
    tags,
    summary: 'List the members of a multicast group',
    permission: { multicast_group: 'list' },
    params,
    ...paged('id'),
    success: { status: 200, schema: MulticastGroupMemberResultsPage },
  },
  multicast_group_member_details_list: {
    method: 'GET',
    path: '/x/v1/multicast-groups/{multicast_group}/members',
    tags: ['extensions'],
    summary: 'List the members of a multicast group, with the instances that the caller may read',
    permission: { multicast_group: 'list' },
    params,
    ...paged('none', { search: SearchText.optional() }),
    success: { status: 200, schema: MulticastGroupMemberDetailsResultsPage },
  },
  instance_multicast_group_list: {
    method: 'GET',
    path: '/v1/instances/{instance}/multicast-groups',
    tags,
    summary: 'List the multicast groups that an instance is a member of',
    permission: { instance: 'list' },
    params: { instance: NameOrId },
    ...paged('id', query),
    success: { status: 200, schema: MulticastGroupMemberResultsPage },
  },
  instance_multicast_group_join: {
    method: 'PUT',
    path: '/v1/instances/{instance}/multicast-groups/{multicast_group}',
    tags,
    summary: 'Join a multicast group; create it if it does not exist',
    permission: { instance: 'modify', multicast_group: 'read' },
    params: membership,
    query,
    body: InstanceMulticastGroupJoin,
    success: { status: 201, schema: MulticastGroupMember },
  },
  instance_multicast_group_leave: {
    method: 'DELETE',
    path: '/v1/instances/{instance}/multicast-groups/{multicast_group}',
    tags,
    summary: 'Leave a multicast group; it is deleted with its last member',
    permission: { instance: 'modify', multicast_group: 'read' },
    params: membership,
    query,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
