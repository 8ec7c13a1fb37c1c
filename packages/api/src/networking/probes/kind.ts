import type { Kind } from '../../kinds/kind.ts'
import { networkReads } from '../reachability/rules.ts'
import { computing } from '../../rules/roles.ts'

export const probe = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing probe as an ID project should not be specified',
    neither: 'probe should either be a UUID or project should be specified',
  },
  listed: true,
  reads: [
    'issue_list',
    'vpc_subnet_deletion',
    'vpc_deletion',
    'project_deletion',
    'system_ip_pool_utilization_view',
    'system_ip_pool_address_list',
    ...networkReads,
  ],
  bulk: ['delete'],
  deletion: { inProject: 'probe', after: [], cascades: [] },
} as const satisfies Kind
