import type * as z from 'zod'
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
  const assignments = array(assignment, {
    allOf: [{ maxItems: POLICY_MAX_ASSIGNMENTS }],
  }) as z.ZodArray
  return record(`${role}Policy`, {
    role_assignments: assignments.check((ctx) => {
      const length = ctx.value.length
      if (length > POLICY_MAX_ASSIGNMENTS) {
        ctx.issues.push({
          code: 'custom',
          input: ctx.value,
          message: `invalid length ${length}, expected a list of at most ${POLICY_MAX_ASSIGNMENTS} role assignments`,
        })
      }
    }),
  })
}

export const FleetRolePolicy = policy('FleetRole', FleetRole)
export const SiloRolePolicy = policy('SiloRole', SiloRole)
export const ProjectRolePolicy = policy('ProjectRole', ProjectRole)
