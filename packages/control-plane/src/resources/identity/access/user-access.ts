import type { Wire } from '@steading/api'
import {
  access,
  actions,
  type FleetRole,
  type Grant,
  grants,
  kindNames,
  type SiloRole,
} from '@steading/api/rules'
import { type Actor, grantsOf, loadUser, may } from '../../../kernel/authz/actor.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { fleetPlace } from './sources.ts'

/** Most projects with roles of a user that are listed. */
export const MAX_PROJECTS = 100

/** The roles assigned to a user and to their groups, those of projects by project name. */
async function assignmentsOf(db: Db, userId: string) {
  const own = db
    .selectFrom('role_assignment')
    .select(['resource_type', 'resource_id', 'role_name', 'identity_id'])
  const [direct, byGroup] = await Promise.all([
    own.where('identity_id', '=', userId).execute(),
    own
      .innerJoin('silo_group_membership as member', 'member.group_id', 'identity_id')
      .innerJoin('silo_group as group', 'group.id', 'member.group_id')
      .select(['group.id as group_id', 'group.display_name as group_name'])
      .where('member.user_id', '=', userId)
      .execute(),
  ])
  return [
    ...direct.map((row) => ({ ...row, group: null })),
    ...byGroup.map(({ group_id: id, group_name: display_name, ...row }) => ({
      ...row,
      group: { id, display_name },
    })),
  ]
}

/** The user's roles on the fleet; undefined if the caller may not see them. */
const fleetKnownTo = (caller: Actor, userId: string): boolean =>
  caller.userId === userId || may(caller, 'read', 'fleet', {})

/**
 * A user's permissions in their silo, or in one of its projects, as far as the caller can derive
 * them from readable policies.
 */
export async function accessOf(
  db: Db,
  caller: Actor,
  user: Row<'silo_user'>,
  project: Row<'project'> | undefined,
): Promise<Wire.UserAccess> {
  const actor = (await loadUser(db, user.id))!
  const fleetKnown = fleetKnownTo(caller, user.id)
  const { siloId, siloName } = actor
  const rows = await assignmentsOf(db, user.id)
  const inProjects = project
    ? [project.id]
    : [
        ...new Set(
          rows.filter((row) => row.resource_type === 'project').map((row) => row.resource_id),
        ),
      ].filter((projectId) => may(caller, 'read', 'project', { siloId, projectId }))
  const projects =
    inProjects.length === 0
      ? []
      : await db
          .selectFrom('project')
          .select(['id', 'name'])
          .where('id', 'in', inProjects)
          .where('silo_id', '=', siloId)
          .where('time_deleted', 'is', null)
          .orderBy('name')
          .execute()
  const places: Wire.PolicyPlace[] = [
    ...(fleetKnown ? [fleetPlace] : []),
    { level: 'silo', id: siloId, name: siloName },
    ...projects.slice(0, MAX_PROJECTS).map(({ id, name }) => ({
      level: 'project' as const,
      id,
      name,
    })),
  ]
  const known: Actor = fleetKnown ? actor : { ...actor, fleetRoles: [] }
  const scope = { siloId, projectId: project?.id, userId: user.id }
  const held = grantsOf(known, scope)
  const scopes = project ? ['project'] : fleetKnown ? ['silo', 'fleet'] : ['silo']
  return {
    user: { id: user.id, display_name: user.display_name, silo_id: user.silo_id },
    roles: places.flatMap((place) =>
      rows
        .filter((row) => row.resource_type === place.level && row.resource_id === place.id)
        .map(({ role_name, group }) => ({
          grant: `${place.level}.${role_name as FleetRole & SiloRole}` satisfies Grant,
          place,
          group,
        })),
    ),
    more_projects: Math.max(0, projects.length - MAX_PROJECTS),
    // Without a project, the grants that roles on the silo give in every project of it.
    grants: grants.filter((grant) => held.has(grant)),
    fleet_known: fleetKnown,
    permitted: kindNames
      .filter((kind) => scopes.includes(access[kind].scope))
      .map((kind) => ({ kind, actions: actions.filter((one) => may(known, one, kind, scope)) }))
      .filter((row) => row.actions.length > 0),
  }
}
