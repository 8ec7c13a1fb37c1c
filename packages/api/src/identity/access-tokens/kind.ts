import type { Kind } from '../../kinds/kind.ts'
import { credentials } from '../../rules/roles.ts'

/** A user's bearer token, issued to a device by device authorization, or made with a name. */
export const access_token = {
  type: 'device-access-token',
  words: 'access token',
  resource: 'access-tokens',
  access: credentials,
  parent: 'silo_user',
  reads: [
    'current_user_access_token_list',
    'current_user_access_token_details_list',
    'user_token_list',
  ],
} as const satisfies Kind
