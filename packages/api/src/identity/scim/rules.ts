/** SCIM 2.0 tokens, media type, limits and errors (control plane 10.9, RFC 7643 and 7644). */
import { type ScimType, scimTypes } from '../../rules/scim-types.ts'

/** Base path of SCIM. */
export const SCIM_PATH = '/scim/v2'
export const SCIM_TYPE = 'application/scim+json'
/** Prefix of SCIM tokens; 40 hexadecimal digits follow. */
export const SCIM_TOKEN_PREFIX = 'oxide-scim-'
/** Default and maximum page size in resources. */
export const SCIM_PAGE = 100
export const SCIM_PAGE_MAX = 1_000
/** Members per page of groups; a page ends after the group that reaches it. */
export const SCIM_PAGE_MEMBERS = 20_000
/** Bytes: enough for a group with tens of thousands of members. */
export const SCIM_BODY_MAX = 4 * 1024 * 1024
/** Values in the JSON of a body. */
export const SCIM_BODY_VALUES_MAX = 400_000
/** Operations of one PATCH. */
export const SCIM_OPERATIONS_MAX = 1_000
/** Maximum length of any text of a user or a group in characters. */
export const SCIM_TEXT_MAX = 512
/** Values of a multi-valued user attribute. */
export const SCIM_VALUES_MAX = 50
/** Nesting depth and number of comparisons of a filter. */
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

/** Former ids of SCIM operations, which older entries of the audit log have, and the present ones. */
export const formerScimOperations: Readonly<Record<string, string>> = {
  scim_user_create: 'scim_v2_create_user',
  scim_user_replace: 'scim_v2_replace_user',
  scim_user_update: 'scim_v2_patch_user',
  scim_user_delete: 'scim_v2_delete_user',
  scim_group_create: 'scim_v2_create_group',
  scim_group_replace: 'scim_v2_replace_group',
  scim_group_update: 'scim_v2_patch_group',
  scim_group_delete: 'scim_v2_delete_group',
}
