import type { Kind } from '../../kinds/kind.ts'

export const silo = {
  access: {
    scope: 'silo',
    read: ['silo.user', 'fleet.viewer'],
    list: ['silo.viewer'],
    create: ['silo.collaborator'],
    modify: ['silo.admin', 'fleet.collaborator'],
  },
  parent: 'fleet',
  listed: true,
  history: true,
  reads: [
    'sign_in_policy_view',
    'issue_list',
    'system_quotas_list',
    'silo_quotas_view',
    'utilization_view',
    'silo_utilization_list',
    'silo_utilization_view',
    'auth_settings_view',
    'system_ip_pool_silo_list',
    'project_overview',
    'image_policy_view',
    'project_silo_image_list',
  ],
} as const satisfies Kind
