import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import { SearchText } from '../../searched.ts'
import {
  Group,
  GroupCreate,
  GroupDetails,
  GroupDetailsResultsPage,
  GroupMembersUpdate,
  GroupResultsPage,
} from './schemas.ts'

const extensions = ['extensions']

export const groupOperations = {
  group_list: {
    method: 'GET',
    path: '/v1/groups',
    tags: ['silos'],
    summary: "List the groups of the caller's silo",
    permission: { silo_group: 'list' },
    ...paged('id'),
    success: { status: 200, schema: GroupResultsPage },
  },
  group_view: {
    method: 'GET',
    path: '/v1/groups/{group_id}',
    tags: ['silos'],
    summary: "Show a group of the caller's silo",
    permission: { silo_group: 'read' },
    params: { group_id: uuid },
    success: { status: 200, schema: Group },
  },
  group_details_list: {
    method: 'GET',
    path: '/x/v1/groups',
    tags: extensions,
    summary: "Search the groups of the caller's silo",
    permission: { silo_group: 'list' },
    ...paged({ kind: 'Group', columns: ['name'] }, { search: SearchText.optional() }),
    success: { status: 200, schema: GroupDetailsResultsPage },
  },
  group_details_view: {
    method: 'GET',
    path: '/x/v1/groups/{group_id}',
    tags: extensions,
    summary: "Show a group of the caller's silo, with its origin and number of members",
    permission: { silo_group: 'read' },
    params: { group_id: uuid },
    success: { status: 200, schema: GroupDetails },
  },
  group_create: {
    method: 'POST',
    path: '/x/v1/groups',
    tags: extensions,
    summary: 'Create a group of local users',
    permission: { silo_group: 'create' },
    body: GroupCreate,
    success: { status: 201, schema: Group },
  },
  group_delete: {
    method: 'DELETE',
    path: '/x/v1/groups/{group_id}',
    tags: extensions,
    summary: 'Delete a group of local users',
    permission: { silo_group: 'modify' },
    params: { group_id: uuid },
    success: { status: 204 },
  },
  group_members_update: {
    method: 'PUT',
    path: '/x/v1/groups/{group_id}/members',
    tags: extensions,
    summary: 'Change the members of a group of local users',
    permission: { silo_group: 'modify', silo_user: 'read' },
    params: { group_id: uuid },
    body: GroupMembersUpdate,
    success: { status: 200, schema: Group },
  },
} as const satisfies Record<string, Operation>
