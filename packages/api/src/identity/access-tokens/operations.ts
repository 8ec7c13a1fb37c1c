import {
  AccessTokenCreate,
  AccessTokenDetails,
  DeviceAccessToken,
  NewAccessToken,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const accessTokenOperations = usual('access_token', {
  item: DeviceAccessToken,
  id: 'current_user_access_token',
  path: '/v1/me/access-tokens/{token_id}',
  tag: 'tokens',
  permission: 'session',
})({
  current_user_access_token_list: {
    summary: 'List the access tokens of the signed-in user',
    sort: 'id',
    live: true,
  },
  current_user_access_token_delete: { summary: 'Revoke an access token of the signed-in user' },
  user_token_list: {
    route: 'GET /v1/users/{user_id}/access-tokens',
    tags: ['silos'],
    summary: 'List the access tokens of a user',
    permission: { silo_user: 'read', access_token: 'list' },
    pages: DeviceAccessToken,
    sort: 'id',
    live: true,
  },
  current_user_access_token_details_list: {
    route: 'GET /x/v1/me/access-tokens',
    summary: 'List the access tokens of the signed-in user with their rights and last uses',
    pages: AccessTokenDetails,
    sort: 'time_and_id',
    live: true,
  },
  current_user_access_token_create: {
    extension: true,
    summary: 'Create an access token of the signed-in user, with all of the rights or fewer',
    body: AccessTokenCreate,
    answer: NewAccessToken,
  },
})
