import type { StoredTables } from '../../../kernel/db/tables.ts'
import { kinds } from '@steading/api/rules'
import type { SoftDeleted } from '../../../kernel/db/schema.ts'

export interface SiloGroupTable extends SoftDeleted {
  id: string
  silo_id: string
  display_name: string
  /** The `displayName` of a SCIM group in lower case; null for other groups. */
  display_name_key: string | null
  /** The SCIM client's id of the group; null if it gives none. */
  provider_key: string | null
  time_created: string
  time_modified: string
}

export interface SiloGroupMembershipTable {
  group_id: string
  user_id: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    silo_group: SiloGroupTable
    silo_group_membership: SiloGroupMembershipTable
  }
}

export const siloGroupTables: StoredTables = {
  silo_group: {
    marked: true,
    within: { silo_id: 'silo' },
    names: {
      silo_group_display: { type: kinds.silo_group.type, column: 'display_name' },
      silo_group_display_key: { type: kinds.silo_group.type, column: 'display_name' },
    },
  },
  silo_group_membership: {
    within: { group_id: 'silo_group', user_id: 'silo_user' },
  },
}
