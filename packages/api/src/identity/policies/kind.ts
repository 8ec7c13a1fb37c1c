import type { Kind } from '../../kinds/kind.ts'

/** Role assignments on the fleet, a silo or a project. */
export const policy = {
  resource: 'policies',
  access: {
    scope: 'project',
    read: ['project.viewer', 'silo.user', 'fleet.viewer'],
    list: [],
    create: [],
    modify: ['project.admin', 'silo.admin', 'fleet.admin'],
  },
  reads: [
    'silo_policy_view',
    'project_policy_view',
    'system_policy_view',
    'access_list',
    'user_access_view',
  ],
} as const satisfies Kind
