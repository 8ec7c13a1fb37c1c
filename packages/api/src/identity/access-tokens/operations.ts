import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import { DeviceAccessTokenResultsPage } from './schemas.ts'

const tags = ['tokens']

export const accessTokenOperations = {
  current_user_access_token_list: {
    method: 'GET',
    path: '/v1/me/access-tokens',
    tags,
    summary: 'List the access tokens of the signed-in user',
    permission: 'session',
    ...paged('id'),
    live: true,
    success: { status: 200, schema: DeviceAccessTokenResultsPage },
  },
  current_user_access_token_delete: {
    method: 'DELETE',
    path: '/v1/me/access-tokens/{token_id}',
    tags,
    summary: 'Revoke an access token of the signed-in user',
    permission: 'session',
    params: { token_id: uuid },
    success: { status: 204 },
  },
  user_token_list: {
    method: 'GET',
    path: '/v1/users/{user_id}/access-tokens',
    tags: ['silos'],
    summary: 'List the access tokens of a user',
    permission: { silo_user: 'read', access_token: 'list' },
    params: { user_id: uuid },
    ...paged('id'),
    live: true,
    success: { status: 200, schema: DeviceAccessTokenResultsPage },
  },
} as const satisfies Record<string, Operation>
