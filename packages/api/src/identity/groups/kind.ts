import type { Kind } from '../../kinds/kind.ts'

export const silo_group = {
  words: 'group',
  resource: 'groups',
  access: {
    scope: 'silo',
    read: ['silo.user', 'fleet.viewer'],
    list: ['silo.user', 'fleet.viewer'],
    create: ['silo.admin'],
    modify: ['silo.admin'],
  },
  parent: 'silo',
  history: true,
  reads: [
    'group_list',
    'group_view',
    'current_user_groups',
    'user_list',
    'identity_list',
    'access_list',
    'user_access_view',
    'group_details_list',
    'group_details_view',
    'user_details_list',
    'user_group_list',
  ],
} as const satisfies Kind
