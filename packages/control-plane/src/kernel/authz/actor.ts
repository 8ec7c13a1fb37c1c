import {
  bothLimits,
  expandRoles,
  type FleetRole,
  FLEET_ID,
  type Grant,
  isActionWithin,
  isWithin,
  type Limits,
  permits,
  type KindName,
  type Action,
  type SiloRole,
  siloToProject,
} from '@steading/api/rules'
import type { Db } from '../db/database.ts'
import { jsonColumn } from '../db/json-column.ts'

/** A signed-in user with all facts that decide their permissions. */
export interface Actor {
  userId: string
  displayName: string
  siloId: string
  siloName: string
  fleetRoles: FleetRole[]
  siloRoles: SiloRole[]
  /** Project id → roles granted there. */
  projectRoles: Map<string, SiloRole[]>
  /**
   * The limits of the credential, beyond the roles; undefined for a caller with all rights of the
   * user. Roles that do not count at all are left out above.
   */
  limits?: Limits
  /**
   * Id of the access token that the caller presents, if the token has fewer rights than the user.
   * Rows that act later for the caller, such as schedules, keep the id, and end with the token.
   */
  tokenId?: string
}

/** A user with fewer rights: those that limits and roles both give. */
export function limitActor(actor: Actor, more: Limits | undefined): Actor {
  if (!more) return actor
  const limits = actor.limits ? bothLimits(actor.limits, more) : more
  if (limits.projects === null) return { ...actor, limits }
  const implied = actor.siloRoles.map((role) => siloToProject[role])
  const projectRoles = new Map(
    limits.projects
      .map((id): [string, SiloRole[]] => [id, [...(actor.projectRoles.get(id) ?? []), ...implied]])
      .filter(([, roles]) => roles.length > 0),
  )
  return { ...actor, limits, fleetRoles: [], siloRoles: [], projectRoles }
}

/** A text that is the same for callers with the same user and limits only. */
export const callerKey = ({ userId, limits }: Actor): string =>
  limits ? `${userId} ${JSON.stringify(limits)}` : userId

/** Whether a caller may use what belongs to a user alone, such as jobs and saved views. */
export const ownsAs = ({ userId, limits }: Actor, owner: string | null): boolean =>
  owner === userId && !limits

const rolesOf = ({ fleetRoles, siloRoles, projectRoles }: Actor): string[] =>
  [
    ...fleetRoles.map((role) => `fleet ${role}`),
    ...siloRoles.map((role) => `silo ${role}`),
    ...[...projectRoles].flatMap(([id, roles]) => roles.map((role) => `${id} ${role}`)),
  ].toSorted()

/** Whether a user has the same roles at two times. */
export const sameRoles = (before: Actor, after: Actor): boolean =>
  rolesOf(before).join() === rolesOf(after).join()

/** Silo role → fleet roles that it brings: the column of silos. */
export const mappedFleetRoles = jsonColumn<Partial<Record<SiloRole, FleetRole[]>>>()

export interface ActorIdentity {
  userId: string
  displayName: string
  siloId: string
  siloName: string
  mappedFleetRoles: string
}

/** A role that was given to a user or to one of their groups. */
export interface Assignment {
  resource_type: 'fleet' | 'silo' | 'project'
  resource_id: string
  role_name: FleetRole | SiloRole
}

/** Builds the actor for a user of a silo from role assignments. */
export function actorWith(
  { mappedFleetRoles: mapped, ...identity }: ActorIdentity,
  rows: readonly Assignment[],
): Actor {
  const siloRoles = rows
    .filter((row) => row.resource_type === 'silo' && row.resource_id === identity.siloId)
    .map((row) => row.role_name)
  const held = expandRoles({ fleet: [], silo: siloRoles, project: [] })
  const fleetRoles = [
    ...rows
      .filter((row) => row.resource_type === 'fleet' && row.resource_id === FLEET_ID)
      .map((row) => row.role_name as FleetRole),
    ...Object.entries(mappedFleetRoles.read(mapped)).flatMap(([role, roles]) =>
      held.has(`silo.${role as SiloRole}`) ? roles : [],
    ),
  ]
  const projectRoles = new Map<string, SiloRole[]>()
  for (const row of rows) {
    if (row.resource_type !== 'project') continue
    projectRoles.set(row.resource_id, [...(projectRoles.get(row.resource_id) ?? []), row.role_name])
  }
  return { ...identity, fleetRoles, siloRoles, projectRoles }
}

/** Reads the roles of a user and of their groups, in one query. */
async function loadActor(db: Db, identity: ActorIdentity): Promise<Actor> {
  const { userId } = identity
  const rows = await db
    .selectFrom('role_assignment')
    .select(['resource_type', 'resource_id', 'role_name'])
    .where((eb) =>
      eb.or([
        eb('identity_id', '=', userId),
        eb(
          'identity_id',
          'in',
          eb.selectFrom('silo_group_membership').select('group_id').where('user_id', '=', userId),
        ),
      ]),
    )
    .execute()
  return actorWith(identity, rows)
}

/**
 * A user with their present roles, read without a session; undefined if the user was deleted or
 * deactivated.
 */
export async function loadUser(db: Db, userId: string): Promise<Actor | undefined> {
  const user = await db
    .selectFrom('silo_user as user')
    .innerJoin('silo', 'silo.id', 'user.silo_id')
    .leftJoin('service_account as service', 'service.id', 'user.id')
    .select([
      'user.is_service',
      'service.project_id',
      'user.display_name as displayName',
      'silo.id as siloId',
      'silo.name as siloName',
      'silo.mapped_fleet_roles',
    ])
    .where('user.id', '=', userId)
    .where('user.time_deleted', 'is', null)
    .where('user.time_deactivated', 'is', null)
    .where('silo.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!user) return undefined
  const { mapped_fleet_roles: mappedFleetRoles, is_service, project_id, ...identity } = user
  const actor = await loadActor(db, { userId, ...identity, mappedFleetRoles })
  if (!is_service) return actor
  // A service account has rights in one place, and nothing of its own.
  const projects = project_id === null ? null : [project_id]
  return limitActor({ ...actor, fleetRoles: [] }, { readOnly: false, role: null, projects })
}

/** The scope of a permission check: a silo, and perhaps a project in it or one of its users. */
export interface Scope {
  siloId?: string
  projectId?: string
  userId?: string
}

/**
 * Grants by actor, cached because one call checks several, and they stay the same between calls.
 */
const known = new WeakMap<Actor, Map<string, ReadonlySet<Grant>>>()

/** All grants an actor holds towards something in a scope. */
export function grantsOf(
  actor: Actor,
  { siloId, projectId = '', userId }: Scope,
): ReadonlySet<Grant> {
  const inOwnSilo = siloId === actor.siloId
  const project = inOwnSilo ? actor.projectRoles.get(projectId) : undefined
  // The actor has the same grants in all projects without role assignments, and in all other silos.
  const isSelf = userId === actor.userId
  const key = `${project ? projectId : inOwnSilo} ${isSelf}`
  const ofActor = known.get(actor) ?? new Map<string, ReadonlySet<Grant>>()
  known.set(actor, ofActor)
  let grants = ofActor.get(key)
  if (!grants) {
    const { fleetRoles: fleet, siloRoles: silo } = actor
    const all = expandRoles({ fleet, silo: inOwnSilo ? silo : [], project: project ?? [] })
    all.add('any.user')
    if (inOwnSilo) all.add('silo.user')
    if (isSelf) all.add('self')
    const { limits } = actor
    if (limits) for (const grant of all) if (!isWithin(limits, grant)) all.delete(grant)
    ofActor.set(key, (grants = all))
  }
  return grants
}

/** Whether a caller may do something. The limits of the caller's credential are part of this. */
export const may = (actor: Actor, action: Action, kind: KindName, scope: Scope): boolean =>
  (!actor.limits || isActionWithin(actor.limits, action)) &&
  permits(kind, action, grantsOf(actor, scope))
