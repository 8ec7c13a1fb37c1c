import { dateTime, list, NameOrId, record, string, uuid } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const fields = {
  id: uuid,
  time_created: dateTime,
  /** Null if it does not expire. */
  time_expires: dateTime.nullable().optional(),
}

/** A token without its secret, which is shown only once. */
const ScimClientBearerToken = record('ScimClientBearerToken', fields)

/** A new token, with its secret. */
const ScimClientBearerTokenValue = record('ScimClientBearerTokenValue', {
  ...fields,
  bearer_token: string,
})

const query = { silo: NameOrId }

export const scimTokenOperations = usual('scim_token', {
  item: ScimClientBearerToken,
  path: '/v1/system/scim/tokens/{token_id}',
  tag: 'system/silos',
})({
  scim_token_list: {
    summary: 'List the SCIM tokens of a silo',
    permission: { silo: 'read', scim_token: 'list' },
    query,
    answer: list(ScimClientBearerToken),
  },
  scim_token_create: {
    summary: 'Create a SCIM token for a silo',
    permission: { silo: 'read', scim_token: 'create' },
    query,
    audited: { kind: 'scim_token' },
    answer: ScimClientBearerTokenValue,
  },
  scim_token_view: {
    summary: 'Show a SCIM token of a silo',
    permission: { silo: 'read', scim_token: 'read' },
    query,
  },
  scim_token_delete: {
    summary: 'Delete a SCIM token of a silo',
    permission: { silo: 'read', scim_token: 'modify' },
    query,
    audited: { kind: 'scim_token' },
  },
})
