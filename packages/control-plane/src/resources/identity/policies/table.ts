import type { Wire } from '@steading/api'
import type { FleetRole, SiloRole } from '@steading/api/rules'

export interface RoleAssignmentTable {
  resource_type: 'fleet' | 'silo' | 'project'
  resource_id: string
  identity_type: Wire.IdentityType
  identity_id: string
  role_name: FleetRole | SiloRole
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    role_assignment: RoleAssignmentTable
  }
}
