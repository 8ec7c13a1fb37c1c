import { LIST_MAX } from '../../rules/limits.ts'
import { kindNames } from '../../kinds/index.ts'
import {
  FleetRolePolicy,
  IdentityType,
  ProjectRolePolicy,
  SiloRole,
  SiloRolePolicy,
} from '../policies/schemas.ts'
import { actions, grants } from '../../rules/roles.ts'
import {
  array,
  boolean,
  list,
  named,
  NameOrId,
  oneOf,
  record,
  string,
  tagged,
  uint64,
  uuid,
} from '../../schema.ts'

export const ResourceKind = named('ResourceKind', oneOf(...kindNames))
export const AccessAction = named('AccessAction', oneOf(...actions))
/** A role at one level, or a relation that all users of a silo have. */
const Grant = named('Grant', oneOf(...grants))

const identity = { id: uuid, display_name: string }
const UserReference = record('UserReference', { ...identity, silo_id: uuid })
const GroupReference = record('GroupReference', identity)

/** A user or a group to whom roles can be given. */
const Identity = record('Identity', {
  ...identity,
  type: IdentityType,
  /** Number of users in a group; null for a user. */
  members: uint64.nullable(),
  /** Whether the user is a service account. */
  service: boolean,
})
export const Identities = record('Identities', {
  items: list(Identity),
  /** Whether more identities match. */
  more: boolean,
})

/** Owner of a policy. */
const PolicyPlace = record('PolicyPlace', {
  level: named('PolicyLevel', oneOf('fleet', 'silo', 'project')),
  id: uuid,
  name: string,
})

/** How a user obtains a permission. */
const AccessPath = record('AccessPath', {
  /** Grant of the user or the group, or the relation of all users of the silo. */
  grant: Grant,
  /** The fleet, silo or project of the grant; null for a relation. */
  place: PolicyPlace.nullable(),
  /** The group that holds the grant; null if the user does. */
  group: GroupReference.nullable(),
  /** Grant required by the matrix, which a role at another level may imply. */
  counts_as: Grant,
})

const AccessHolder = record('AccessHolder', { user: UserReference, paths: list(AccessPath) })

export const AccessHolderResultsPage = record('AccessHolderResultsPage', {
  items: list(AccessHolder),
  next_page: string.nullable().optional(),
  /** Users on all pages; null if there are more than `LIST_COUNT_MAX`. */
  total: uint64.nullable(),
  /** Other sufficient grants whose holders the caller may not see. */
  undisclosed: list(Grant),
})

const HeldRole = record('HeldRole', {
  grant: Grant,
  place: PolicyPlace,
  group: GroupReference.nullable(),
})

const PermittedActions = record('PermittedActions', {
  kind: ResourceKind,
  actions: list(AccessAction),
})

export const UserAccess = record('UserAccess', {
  user: UserReference,
  /** Roles of the user and of their groups in places that the caller may see. */
  roles: list(HeldRole),
  /** Number of projects with roles of the user that `roles` omits. */
  more_projects: uint64,
  /** Effective grants, including inheritance and the fleet roles mapped to silo roles. */
  grants: list(Grant),
  /** Whether the caller may see the user's roles on the fleet. */
  fleet_known: boolean,
  /** Permissions of the user here, by the matrix. Children are listed and created. */
  permitted: list(PermittedActions),
})

/** A proposed change of access. */
export const AccessChange = named(
  'AccessChange',
  tagged('type', {
    fleet_policy: { policy: FleetRolePolicy },
    /** Default: the caller's silo. */
    silo_policy: { policy: SiloRolePolicy, silo: NameOrId.nullable().optional() },
    project_policy: { project: NameOrId, policy: ProjectRolePolicy },
    /** These users leave a group; null for all, because the group is deleted. */
    group: { group_id: uuid, members: array(uuid, LIST_MAX).nullable() },
    /** A user is deleted; by default one of the caller's silo. */
    user: { user_id: uuid, silo: NameOrId.nullable().optional() },
  }),
)

const AccessLoss = record('AccessLoss', {
  user: UserReference,
  before: SiloRole,
  /** Null if no role remains. */
  after: SiloRole.nullable(),
})

export const AccessPreview = record('AccessPreview', {
  places: list(
    record('AccessLossInPlace', {
      place: PolicyPlace,
      /** The first losses, by name. */
      losses: list(AccessLoss),
      total: uint64,
      /** True if the change removes the last admin. */
      no_admin_left: boolean,
    }),
  ),
  /** Number of places omitted. */
  more_places: uint64,
})
