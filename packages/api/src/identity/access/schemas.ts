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
  NameOrId,
  named,
  oneOf,
  record,
  string,
  tagged,
  uint64,
  uuid,
} from '../../schema.ts'

export const KindOfThing = named('KindOfThing', oneOf(...kindNames))
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
  /** How many users a group has; null for a user. */
  members: uint64.nullable(),
})
export const Identities = record('Identities', {
  items: array(Identity),
  /** There are more that match. */
  more: boolean,
})

/** What a policy belongs to. */
const PolicyPlace = record('PolicyPlace', {
  level: named('PolicyLevel', oneOf('fleet', 'silo', 'project')),
  id: uuid,
  name: string,
})

/** How a user has come to a permission. */
const AccessPath = record('AccessPath', {
  /** What the user or the group was given; or what all users of the silo have. */
  grant: Grant,
  /** Where; null for a relation. */
  place: PolicyPlace.nullable(),
  /** The group it was given to; null if it was given to the user. */
  group: GroupReference.nullable(),
  /** What the matrix asks for, which a role of another level may give, too. */
  counts_as: Grant,
})

const AccessHolder = record('AccessHolder', { user: UserReference, paths: array(AccessPath) })

export const AccessHolderResultsPage = record('AccessHolderResultsPage', {
  items: array(AccessHolder),
  next_page: string.nullable().optional(),
  /** Users on all pages; null if there are more than `LIST_COUNT_MAX`. */
  total: uint64.nullable(),
  /** What would do as well, without the users who have it: the caller may not know them. */
  undisclosed: array(Grant),
})

const HeldRole = record('HeldRole', {
  grant: Grant,
  place: PolicyPlace,
  group: GroupReference.nullable(),
})

const PermittedActions = record('PermittedActions', {
  kind: KindOfThing,
  actions: array(AccessAction),
})

export const UserAccess = record('UserAccess', {
  user: UserReference,
  /** What was given to the user and to their groups, in the places that the caller may know. */
  roles: array(HeldRole),
  /** Projects with roles of the user that are left out of `roles`. */
  more_projects: uint64,
  /** What all of it amounts to: with the fleet roles that roles on the silo bring, with inheritance. */
  grants: array(Grant),
  /** Whether the caller may know the user's roles on the fleet. */
  fleet_known: boolean,
  /** What the user may do here, by the matrix. Children are listed and created. */
  permitted: array(PermittedActions),
})

/** A change that has not been made. */
export const AccessChange = named(
  'AccessChange',
  tagged('type', {
    fleet_policy: { policy: FleetRolePolicy },
    /** Of the own silo by default. */
    silo_policy: { policy: SiloRolePolicy, silo: NameOrId.nullable().optional() },
    project_policy: { project: NameOrId, policy: ProjectRolePolicy },
    /** These users leave a group; null: all do, because it is deleted. */
    group: { group_id: uuid, members: array(uuid).nullable() },
    /** A user is deleted, of the own silo by default. */
    user: { user_id: uuid, silo: NameOrId.nullable().optional() },
  }),
)

const AccessLoss = record('AccessLoss', {
  user: UserReference,
  before: SiloRole,
  /** Null: no role is left there. */
  after: SiloRole.nullable(),
})

export const AccessPreview = record('AccessPreview', {
  places: array(
    record('AccessLossInPlace', {
      place: PolicyPlace,
      /** The first of them, by name. */
      losses: array(AccessLoss),
      total: uint64,
      /** There was an admin, and would be none. */
      no_admin_left: boolean,
    }),
  ),
  /** Places that are left out. */
  more_places: uint64,
})
