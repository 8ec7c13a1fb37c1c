import { list, NameOrId } from '../../schema.ts'
import { ScimClientBearerToken, ScimClientBearerTokenValue } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const query = { silo: NameOrId }

export const scimTokenOperations = usual('scim_token', {
  item: ScimClientBearerToken,
  path: '/v1/system/scim/tokens/{token_id}',
  tag: 'system/silos',
})({
  list: {
    summary: 'List the SCIM tokens of a silo',
    permission: { silo: 'read', scim_token: 'list' },
    query,
    answer: list(ScimClientBearerToken),
  },
  create: {
    summary: 'Create a SCIM token for a silo',
    permission: { silo: 'read', scim_token: 'create' },
    query,
    audited: { kind: 'scim_token' },
    answer: ScimClientBearerTokenValue,
  },
  view: {
    summary: 'Show a SCIM token of a silo',
    permission: { silo: 'read', scim_token: 'read' },
    query,
  },
  delete: {
    summary: 'Delete a SCIM token of a silo',
    permission: { silo: 'read', scim_token: 'modify' },
    query,
    audited: { kind: 'scim_token' },
  },
})
