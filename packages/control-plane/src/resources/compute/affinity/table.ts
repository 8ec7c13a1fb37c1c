import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { Wire } from '@steading/api'
import type { Listed, SoftDeleted } from '../../../kernel/db/schema.ts'

export interface AffinityGroupTable extends Listed, SoftDeleted {
  project_id: string
  kind: 'affinity' | 'anti_affinity'
  /**
   * The policy when placement cannot satisfy the group: instances start anyway, or do not start.
   */
  policy: Wire.AffinityPolicy
  failure_domain: Wire.FailureDomain
}

export interface AffinityGroupMemberTable {
  group_id: string
  instance_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    affinity_group: AffinityGroupTable
    affinity_group_member: AffinityGroupMemberTable
  }
}

export const affinityGroupTables: StoredTables = {
  affinity_group: {
    marked: true,
    within: { project_id: 'project' },
    names: {
      affinity_group_name: {
        type: (value) =>
          kinds[value('kind') === 'affinity' ? 'affinity_group' : 'anti_affinity_group'].type,
      },
    },
  },
  affinity_group_member: {
    noun: 'affinity group membership',
    within: { group_id: 'affinity_group', instance_id: 'instance' },
  },
}
