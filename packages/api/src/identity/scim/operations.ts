import type { Operation } from '../../operation.ts'
import { SCIM_BODY_MAX, SCIM_BODY_VALUES_MAX, SCIM_PATH, SCIM_TYPE } from './rules.ts'
import { anyJson, anything, longText, shortText } from '../../schema.ts'

/**
 * Common properties of all SCIM operations. Handlers validate the bodies, because SCIM attributes
 * are declared once, in the form that clients read from `/Schemas`.
 */
const scim = {
  tags: ['scim'],
  permission: 'scim',
  unpublished: true,
  bodyType: SCIM_TYPE,
  maxBody: SCIM_BODY_MAX,
} as const
const answers = { status: 200, schema: anything, contentType: SCIM_TYPE } as const
const created = { ...answers, status: 201 } as const
const params = { id: shortText }
const body = anyJson(SCIM_BODY_VALUES_MAX)

/**
 * A list with its query in the body, which logs and proxies do not record (RFC 7644, section
 * 3.4.3).
 */
const search = {
  ...scim,
  method: 'POST',
  body,
  audited: false,
  transaction: 'snapshot',
  success: answers,
} as const

/** Attributes that the client requests or excludes. */
const selection = {
  attributes: longText.optional(),
  excludedAttributes: longText.optional(),
}
const paging = {
  startIndex: longText.optional(),
  count: longText.optional(),
  filter: longText.optional(),
}

const users = {
  path: `${SCIM_PATH}/Users`,
  audited: { kind: 'silo_user', name: 'userName' },
} as const
const user = { ...users, path: `${SCIM_PATH}/Users/{id}`, params } as const
const groups = {
  path: `${SCIM_PATH}/Groups`,
  audited: { kind: 'silo_group', name: 'displayName' },
} as const
const group = { ...groups, path: `${SCIM_PATH}/Groups/{id}`, params } as const

export const scimOperations = {
  scim_v2_list_users: {
    ...scim,
    ...users,
    method: 'GET',
    summary: 'List the users of the silo, for its identity provider',
    query: { ...selection, ...paging },
    transaction: 'snapshot',
    success: answers,
  },
  scim_v2_search_users: {
    ...search,
    path: `${users.path}/.search`,
    summary: 'Search the users of the silo, for its identity provider',
  },
  scim_v2_create_user: {
    ...scim,
    ...users,
    method: 'POST',
    summary: 'Create a user, by the identity provider',
    query: selection,
    body,
    success: created,
  },
  scim_v2_get_user_by_id: {
    ...scim,
    ...user,
    method: 'GET',
    summary: 'Show a user, to the identity provider',
    query: selection,
    transaction: 'snapshot',
    success: answers,
  },
  scim_v2_replace_user: {
    ...scim,
    ...user,
    method: 'PUT',
    summary: 'Replace a user, by the identity provider',
    query: selection,
    body,
    success: answers,
  },
  scim_v2_patch_user: {
    ...scim,
    ...user,
    method: 'PATCH',
    summary: 'Update a user, by the identity provider',
    query: selection,
    body,
    success: answers,
  },
  scim_v2_delete_user: {
    ...scim,
    ...user,
    method: 'DELETE',
    summary: 'Delete a user, by the identity provider',
    success: { status: 204 },
  },
  scim_v2_list_groups: {
    ...scim,
    ...groups,
    method: 'GET',
    summary: 'List the groups of the silo, for its identity provider',
    query: { ...selection, ...paging },
    transaction: 'snapshot',
    success: answers,
  },
  scim_v2_search_groups: {
    ...search,
    path: `${groups.path}/.search`,
    summary: 'Search the groups of the silo, for its identity provider',
  },
  scim_v2_create_group: {
    ...scim,
    ...groups,
    method: 'POST',
    summary: 'Create a group, by the identity provider',
    query: selection,
    body,
    success: created,
  },
  scim_v2_get_group_by_id: {
    ...scim,
    ...group,
    method: 'GET',
    summary: 'Show a group, to the identity provider',
    query: selection,
    transaction: 'snapshot',
    success: answers,
  },
  scim_v2_replace_group: {
    ...scim,
    ...group,
    method: 'PUT',
    summary: 'Replace a group, by the identity provider',
    query: selection,
    body,
    success: answers,
  },
  scim_v2_patch_group: {
    ...scim,
    ...group,
    method: 'PATCH',
    summary: 'Update a group, by the identity provider',
    query: selection,
    body,
    // A large group is returned only to clients that request specific attributes.
    success: { ...answers, status: 204, freeForm: true },
  },
  scim_v2_delete_group: {
    ...scim,
    ...group,
    method: 'DELETE',
    summary: 'Delete a group, by the identity provider',
    success: { status: 204 },
  },
  scim_v2_get_service_provider_config: {
    ...scim,
    method: 'GET',
    path: `${SCIM_PATH}/ServiceProviderConfig`,
    summary: 'Show what SCIM can do here',
    success: answers,
  },
  scim_v2_get_resource_types: {
    ...scim,
    method: 'GET',
    path: `${SCIM_PATH}/ResourceTypes`,
    summary: 'List the resource types of SCIM',
    query: { filter: longText.optional() },
    success: answers,
  },
  scim_v2_get_resource_type_by_id: {
    ...scim,
    method: 'GET',
    path: `${SCIM_PATH}/ResourceTypes/{id}`,
    summary: 'Show a resource type of SCIM',
    params,
    success: answers,
  },
  scim_v2_get_schemas: {
    ...scim,
    method: 'GET',
    path: `${SCIM_PATH}/Schemas`,
    summary: 'List the schemas of SCIM',
    query: { filter: longText.optional() },
    success: answers,
  },
  scim_v2_get_schema_by_id: {
    ...scim,
    method: 'GET',
    path: `${SCIM_PATH}/Schemas/{id}`,
    summary: 'Show a schema of SCIM',
    params,
    success: answers,
  },
} as const satisfies Record<string, Operation>
