import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { uuid } from '../../schema.ts'
import {
  AccessTokenCreate,
  AccessTokenDetailsResultsPage,
  DeviceAccessTokenResultsPage,
  NewAccessToken,
} from './schemas.ts'

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
  current_user_access_token_details_list: {
    method: 'GET',
    path: '/x/v1/me/access-tokens',
    tags: ['extensions'],
    summary: 'List the access tokens of the signed-in user with their rights and last uses',
    permission: 'session',
    ...paged('time_and_id'),
    live: true,
    success: { status: 200, schema: AccessTokenDetailsResultsPage },
  },
  current_user_access_token_create: {
    method: 'POST',
    path: '/x/v1/me/access-tokens',
    tags: ['extensions'],
    summary: 'Create an access token of the signed-in user, with all of the rights or fewer',
    permission: 'session',
    body: AccessTokenCreate,
    success: { status: 201, schema: NewAccessToken },
  },
} as const satisfies Record<string, Operation>
