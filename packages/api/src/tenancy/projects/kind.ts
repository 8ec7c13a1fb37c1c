import type { Kind } from '../../kinds/kind.ts'

export const project = {
  access: {
    scope: 'project',
    read: ['project.viewer'],
    list: ['project.viewer'],
    create: ['project.limited_collaborator'],
    modify: ['project.admin'],
  },
  parent: 'silo',
  listed: true,
  reads: ['silo_lights'],
  bulk: ['delete'],
  deletion: { after: [], cascades: ['image'], holdsData: true, typed: true },
} as const satisfies Kind
