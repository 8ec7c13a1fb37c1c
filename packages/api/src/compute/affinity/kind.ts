import { computing } from '../../rules/roles.ts'
import type { Kind } from '../../kinds/kind.ts'

export const affinity_group = {
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing affinity_group as an ID, project should not be specified',
    neither: 'affinity_group should either be UUID or project should be specified',
  },
  listed: true,
  reads: ['affinity_group_member_list', 'instance_affinity_group_list'],
  bulk: ['delete'],
  deletion: { inProject: 'affinity group', after: ['instance'], cascades: [] },
} as const satisfies Kind

export const anti_affinity_group = {
  words: 'anti-affinity group',
  access: computing,
  parent: 'project',
  selectors: {
    both: 'when providing anti_affinity_group as an ID, project should not be specified',
    neither: 'anti_affinity_group should either be UUID or project should be specified',
  },
  listed: true,
  reads: ['anti_affinity_group_member_list', 'instance_anti_affinity_group_list'],
  bulk: ['delete'],
  deletion: { inProject: 'anti affinity group', after: ['instance'], cascades: [] },
} as const satisfies Kind
