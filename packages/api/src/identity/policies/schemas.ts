import { fleetRoles, POLICY_MAX_ASSIGNMENTS, projectRoles, siloRoles } from '../../rules/roles.ts'
import { array, named, oneOf, record, type Schema, uuid } from '../../schema.ts'

export const IdentityType = named('IdentityType', oneOf('silo_user', 'silo_group'))
export const FleetRole = named('FleetRole', oneOf(...fleetRoles))
export const SiloRole = named('SiloRole', oneOf(...siloRoles))
export const ProjectRole = named('ProjectRole', oneOf(...projectRoles))

/** All role assignments of one fleet, silo or project; at most 64. */
function policy(role: string, schema: Schema): Schema {
  const assignment = record(`${role}RoleAssignment`, {
    identity_id: uuid,
    identity_type: IdentityType,
    role_name: schema,
  })
  const message = (length: number) =>
    `invalid length ${length}, expected a list of at most ${POLICY_MAX_ASSIGNMENTS} role assignments`
  return record(`${role}Policy`, {
    role_assignments: array(assignment, POLICY_MAX_ASSIGNMENTS, {}, message),
  })
}

export const FleetRolePolicy = policy('FleetRole', FleetRole)
export const SiloRolePolicy = policy('SiloRole', SiloRole)
export const ProjectRolePolicy = policy('ProjectRole', ProjectRole)
