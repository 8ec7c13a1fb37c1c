/** SCIM 2.0 (control plane 10.9, RFC 7643 and 7644): its tokens, media type, limits and errors. */
import { type ScimType, scimTypes } from '../../rules/scim-types.ts'

/** Where an identity provider keeps the users and groups of a silo. */
export const SCIM_PATH = '/scim/v2'
export const SCIM_TYPE = 'application/scim+json'
/** SCIM tokens begin with this; 40 hexadecimal digits follow. */
export const SCIM_TOKEN_PREFIX = 'oxide-scim-'
/** Resources of a page, if the client does not say how many, and at most. */
export const SCIM_PAGE = 100
export const SCIM_PAGE_MAX = 1_000
/** Members that a page of groups has at most; it ends after the group with which it reaches them. */
export const SCIM_PAGE_MEMBERS = 20_000
/** Bytes: room for a group of ten thousands of members. */
export const SCIM_BODY_MAX = 4 * 1024 * 1024
/** Operations of one PATCH. */
export const SCIM_OPERATIONS_MAX = 1_000
/** Characters of any text of a user or a group. */
export const SCIM_TEXT_MAX = 512
/** Values of an attribute of users that has many. */
export const SCIM_VALUES_MAX = 50
/** How deep the parentheses of a filter may be nested, and how many comparisons it may have. */
export const SCIM_FILTER_DEPTH = 20
export const SCIM_FILTER_TERMS = 20

export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterpriseUser: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

export const isScimType = (text: string | undefined): text is ScimType =>
  scimTypes.includes(text as ScimType)

export const scimMessages = {
  taken: (attribute: 'username' | 'displayName', name: string) => `${attribute} ${name}`,
  notFound: (type: string, id: string) => `${type} ${id} not found`,
  unsupportedFilter: (supported: readonly string[]) =>
    `The filter is not supported. It may compare ${supported.join(', ')} with "eq", joined with "and"`,
} as const
