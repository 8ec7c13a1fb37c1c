import type { SoftDeleted } from '../../kernel/db/schema.ts'

export interface SiloGroupTable extends SoftDeleted {
  id: string
  silo_id: string
  display_name: string
  time_created: string
  time_modified: string
}

export interface SiloGroupMembershipTable {
  group_id: string
  user_id: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    silo_group: SiloGroupTable
    silo_group_membership: SiloGroupMembershipTable
  }
}
