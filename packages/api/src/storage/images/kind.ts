import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

const reads = ['image_list', 'image_view', 'image_deletion', 'project_deletion'] as const

/** A project image; by id, also a silo image. */
export const image = {
  namedType: 'project-image',
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing image as an ID, project should not be specified',
    neither: 'image should either be an ID or project should be specified',
  },
  listed: true,
  reads,
  bulk: ['delete'],
  deletion: { inProject: 'project image', after: ['snapshot'], cascades: [], holdsData: true },
} as const satisfies Kind

/** An image of the whole silo, with its own row of the permission matrix. */
export const silo_image = {
  type: 'image',
  namedType: 'silo-image',
  words: 'silo image',
  access: {
    scope: 'silo',
    read: ['silo.viewer'],
    list: ['silo.viewer'],
    create: ['silo.limited_collaborator'],
    modify: ['silo.limited_collaborator'],
  },
  parent: 'silo',
  listed: true,
  reads: [...reads, 'project_overview', 'project_silo_image_list', 'project_silo_image_view'],
} as const satisfies Kind
