import type { Kind } from '../../kinds/kind.ts'
import { computing } from '../../rules/roles.ts'

const reads = ['dashboard_list', 'dashboard_view'] as const
const common = { type: 'dashboard', resource: 'dashboards', reads } as const

/** A user's own dashboard. */
export const dashboard = {
  ...common,
  words: 'dashboard',
  access: { scope: 'silo', read: ['self'], list: ['self'], create: ['self'], modify: ['self'] },
  parent: 'silo_user',
} as const satisfies Kind

/** A dashboard shared in a project, with its own row of the permission matrix. */
export const project_dashboard = {
  ...common,
  words: 'dashboard of a project',
  access: computing,
  parent: 'project',
} as const satisfies Kind

/** A dashboard shared in a silo, for use in each of its projects. */
export const silo_dashboard = {
  ...common,
  words: 'dashboard of a silo',
  access: {
    scope: 'silo',
    read: ['silo.user'],
    list: ['silo.user'],
    create: ['silo.collaborator'],
    modify: ['silo.collaborator'],
  },
  parent: 'silo',
} as const satisfies Kind
