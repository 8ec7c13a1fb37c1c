import type { Kind } from '../rules/kind.ts'

export const silo = {
  type: 'silo',
  words: 'silo',
  resource: 'silos',
  access: {
    scope: 'silo',
    read: ['silo.user', 'fleet.viewer'],
    list: ['silo.viewer'],
    create: ['silo.collaborator'],
    modify: ['silo.admin', 'fleet.collaborator'],
  },
  reads: ['silo_list', 'silo_view'],
} as const satisfies Kind
