import type { Kind } from '../rules/kind.ts'

/** A bearer token of a user, which a device got by device authorization. */
export const access_token = {
  type: 'device-access-token',
  words: 'access token',
  resource: 'access-tokens',
  access: {
    scope: 'silo',
    read: ['self', 'silo.admin'],
    list: ['self', 'silo.admin'],
    create: ['self'],
    modify: ['self', 'silo.admin'],
  },
  parent: 'silo_user',
  reads: ['current_user_access_token_list', 'user_token_list'],
} as const satisfies Kind
