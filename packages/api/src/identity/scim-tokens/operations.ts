import type { Operation } from '../../operation.ts'
import { list, NameOrId, uuid } from '../../schema.ts'
import { ScimClientBearerToken, ScimClientBearerTokenValue } from './schemas.ts'

const path = '/v1/system/scim/tokens'
const tags = ['system/silos']
const query = { silo: NameOrId }
const params = { token_id: uuid }

export const scimTokenOperations = {
  scim_token_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List the SCIM tokens of a silo',
    permission: { silo: 'read', scim_token: 'list' },
    query,
    success: { status: 200, schema: list(ScimClientBearerToken) },
  },
  scim_token_create: {
    method: 'POST',
    path,
    tags,
    summary: 'Create a SCIM token for a silo',
    permission: { silo: 'read', scim_token: 'create' },
    query,
    audited: { kind: 'scim_token' },
    success: { status: 201, schema: ScimClientBearerTokenValue },
  },
  scim_token_view: {
    method: 'GET',
    path: `${path}/{token_id}`,
    tags,
    summary: 'Show a SCIM token of a silo',
    permission: { silo: 'read', scim_token: 'read' },
    params,
    query,
    success: { status: 200, schema: ScimClientBearerToken },
  },
  scim_token_delete: {
    method: 'DELETE',
    path: `${path}/{token_id}`,
    tags,
    summary: 'Delete a SCIM token of a silo',
    permission: { silo: 'read', scim_token: 'modify' },
    params,
    query,
    audited: { kind: 'scim_token' },
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
