import type { tables, Wire } from '@steading/api'
import { fleetRoles, projectRoles, siloRoles } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { pageOfFixed } from '../../../kernel/paging.ts'

const levels = { fleet: fleetRoles, silo: siloRoles, project: projectRoles }

/** Every role of every level, by name. */
const roles: Wire.Role[] = [
  {
    name: 'fleet.external-authenticator',
    description: 'Fleet external authenticator: lets the control plane sign users in',
  },
  ...Object.entries(levels).flatMap(([level, names]) =>
    names.map((role) => {
      const words = role.replaceAll('_', ' ')
      return {
        name: `${level}.${role.replaceAll('_', '-')}`,
        description: `${level[0]!.toUpperCase()}${level.slice(1)} ${words}`,
      }
    }),
  ),
].sort((a, b) => (a.name < b.name ? -1 : 1))

export const roleHandlers: Handlers<typeof tables.roleOperations> = {
  async role_list(ctx) {
    authorize(ctx, 'fleet', {})
    return pageOfFixed(ctx.page, roles)
  },

  async role_view(ctx) {
    authorize(ctx, 'fleet', {})
    const { role_name } = ctx.params
    const role = roles.find(({ name }) => name === role_name)
    if (!role) throw fail.notFoundByName('role', role_name)
    return role
  },
}
