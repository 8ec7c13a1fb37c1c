import type { Kind } from '../../kinds/kind.ts'

export const ssh_key = {
  words: 'SSH key',
  access: {
    scope: 'silo',
    read: ['self', 'silo.user', 'fleet.viewer'],
    list: ['self', 'silo.user', 'fleet.viewer'],
    create: ['self'],
    modify: ['self', 'silo.admin', 'fleet.admin'],
  },
  parent: 'silo_user',
  listed: true,
  reads: ['current_user_ssh_key_list', 'current_user_ssh_key_view', 'project_overview'],
} as const satisfies Kind
