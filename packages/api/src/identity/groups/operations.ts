import { SearchText } from '../../searched.ts'
import {
  Group,
  GroupCreate,
  GroupDetails,
  GroupDetailsResultsPage,
  GroupMembersUpdate,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const groupOperations = usual('silo_group', {
  item: Group,
  id: 'group',
  path: '/v1/groups/{group_id}',
  tag: 'silos',
})({
  group_list: { summary: "List the groups of the caller's silo", sort: 'id' },
  group_view: { summary: "Show a group of the caller's silo" },
  group_details_list: {
    route: 'GET /x/v1/groups',
    summary: "Search the groups of the caller's silo",
    permission: { silo_group: 'list' },
    query: { search: SearchText.optional() },
    sort: { kind: 'Group', columns: ['name'] },
    answer: GroupDetailsResultsPage,
  },
  group_details_view: {
    route: 'GET',
    extension: true,
    summary: "Show a group of the caller's silo, with its origin and number of members",
    answer: GroupDetails,
  },
  group_create: { extension: true, summary: 'Create a group of local users', body: GroupCreate },
  group_delete: { extension: true, summary: 'Delete a group of local users' },
  group_members_update: {
    route: 'PUT members',
    extension: true,
    summary: 'Change the members of a group of local users',
    permission: { silo_group: 'modify', silo_user: 'read' },
    body: GroupMembersUpdate,
  },
})
