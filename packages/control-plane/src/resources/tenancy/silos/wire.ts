import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { mappedFleetRoles } from '../../../kernel/authz/actor.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireSilo = (row: Row<'silo'>): Wire.Silo => ({
  ...identityOf(row),
  identity_mode: row.identity_mode,
  discoverable: row.discoverable === 1,
  mapped_fleet_roles: mappedFleetRoles.read(row.mapped_fleet_roles),
  admin_group_name: row.admin_group_name,
})
