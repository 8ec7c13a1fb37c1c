import type { Kind } from '../../kinds/kind.ts'

export const silo_user = {
  words: 'user',
  resource: 'users',
  access: {
    scope: 'silo',
    read: ['silo.user', 'fleet.viewer'],
    list: ['silo.user', 'fleet.viewer'],
    create: ['silo.admin', 'fleet.admin'],
    modify: ['silo.admin', 'fleet.admin'],
  },
  parent: 'silo',
  history: true,
  reads: [
    'user_list',
    'user_view',
    'identity_list',
    'access_list',
    'user_details_list',
    'user_details_view',
    'user_identity_list',
    'current_user_password_view',
    'current_user_mail_address_view',
    'sign_in_security_view',
    'issue_list',
  ],
} as const satisfies Kind
