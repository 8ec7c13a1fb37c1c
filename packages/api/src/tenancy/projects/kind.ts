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
  reads: ['project_list', 'project_view', 'project_deletion'],
  bulk: ['delete'],
  deletion: { after: [], cascades: ['image'], holdsData: true, typed: true },
} as const satisfies Kind
