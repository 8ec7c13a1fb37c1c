import type { Kind } from '../../kinds/kind.ts'
import { computing } from '../../rules/roles.ts'

const reads = ['instance_template_search', 'instance_template_view'] as const
const common = {
  type: 'instance-template',
  resource: 'instance-templates',
  listed: true,
  reads,
  bulk: ['delete'],
  deletion: { after: [], cascades: [] },
} as const

/** A template of a project, by which instances are created from a few values. */
export const instance_template = {
  ...common,
  words: 'template',
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing instance_template as an ID project should not be specified',
    neither: 'instance_template should either be a UUID or project should be specified',
  },
} as const satisfies Kind

/** A template of a silo for all its projects, with its own row of the permission matrix. */
export const silo_instance_template = {
  ...common,
  words: 'template of a silo',
  access: {
    scope: 'silo',
    read: ['silo.user'],
    list: ['silo.user'],
    create: ['silo.collaborator'],
    modify: ['silo.collaborator'],
  },
  parent: 'silo',
} as const satisfies Kind
