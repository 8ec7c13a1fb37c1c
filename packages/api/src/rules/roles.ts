/**
 * Roles: implications, inheritance, and permissions (control plane section 3). The rows of the
 * matrix are in the declarations of the kinds, see `kind.ts`.
 */

/** Strongest first. */
export const siloRoles = ['admin', 'collaborator', 'limited_collaborator', 'viewer'] as const
export const projectRoles = siloRoles
/** Strongest first. */
export const fleetRoles = ['admin', 'collaborator', 'viewer'] as const
export type SiloRole = (typeof siloRoles)[number]
export type ProjectRole = SiloRole
export type FleetRole = (typeof fleetRoles)[number]

/** Strongest of some roles, or undefined if there are none. */
export const strongestRole = (roles: readonly SiloRole[]): SiloRole | undefined =>
  siloRoles.find((role) => roles.includes(role))

export const POLICY_MAX_ASSIGNMENTS = 64

/** Refusal of a role for an identity that does not exist, or not in the silo of the policy. */
export const noIdentity = (type: 'silo_user' | 'silo_group', id: string): string =>
  `there is no ${type === 'silo_user' ? 'user' : 'group'} with id ${id}`

/**
 * A role at one level, e.g. `silo.viewer`, or a relation: user of the silo, user of any silo, or
 * owner.
 */
export type Grant =
  | `fleet.${FleetRole}`
  | `silo.${SiloRole}`
  | `project.${ProjectRole}`
  | 'silo.user'
  | 'any.user'
  | 'self'

/** All grants: fleet first, and the strongest first at each level. */
export const grants: readonly Grant[] = [
  ...fleetRoles.map((role): Grant => `fleet.${role}`),
  ...siloRoles.map((role): Grant => `silo.${role}`),
  ...projectRoles.map((role): Grant => `project.${role}`),
  'silo.user',
  'any.user',
  'self',
]

/** Grants without a role. */
export const relations: readonly Grant[] = ['silo.user', 'any.user', 'self']

/** Role on a silo → implied role on every project of that silo. */
export const siloToProject: Record<SiloRole, ProjectRole> = {
  admin: 'admin',
  collaborator: 'admin',
  limited_collaborator: 'limited_collaborator',
  viewer: 'viewer',
}

const andWeaker = <Role extends string>(ladder: readonly Role[], role: Role): Role[] =>
  ladder.slice(ladder.indexOf(role))

export interface HeldRoles {
  fleet: readonly FleetRole[]
  silo: readonly SiloRole[]
  project: readonly ProjectRole[]
}

/**
 * All grants implied by some roles: weaker roles of the same level, and inherited project roles.
 */
export function expandRoles(held: HeldRoles): Set<Grant> {
  const silo = held.silo.flatMap((role) => andWeaker(siloRoles, role))
  const project = [...held.project, ...silo.map((role) => siloToProject[role])]
  return new Set<Grant>([
    ...held.fleet.flatMap((role) => andWeaker(fleetRoles, role)).map((r): Grant => `fleet.${r}`),
    ...silo.map((r): Grant => `silo.${r}`),
    ...project.flatMap((role) => andWeaker(projectRoles, role)).map((r): Grant => `project.${r}`),
  ])
}

export const actions = ['read', 'list', 'create', 'modify'] as const
export type Action = (typeof actions)[number]

/**
 * A row of the permission matrix, for one kind. `list` and `create` apply to its children. Rows
 * name the weakest sufficient roles, because a role implies all weaker ones.
 */
export interface AccessRule {
  /**
   * Level that a resource of this kind belongs to; determines which of the caller's roles count.
   */
  scope: 'fleet' | 'silo' | 'project'
  read: readonly Grant[]
  list: readonly Grant[]
  create: readonly Grant[]
  modify: readonly Grant[]
}

const everyone = (...grants: Grant[]): readonly Grant[] => grants

const inProject = (write: Grant): AccessRule => ({
  scope: 'project',
  read: everyone('project.viewer'),
  list: everyone('project.viewer'),
  create: everyone(write),
  modify: everyone(write),
})
/** Row of a user's credentials, which silo admins may see and revoke. */
export const credentials: AccessRule = {
  scope: 'silo',
  read: everyone('self', 'silo.admin'),
  list: everyone('self', 'silo.admin'),
  create: everyone('self'),
  modify: everyone('self', 'silo.admin'),
}
/** Row of fleet resources, maintained by operators. */
export const operating: AccessRule = {
  scope: 'fleet',
  read: everyone('fleet.viewer'),
  list: everyone('fleet.viewer'),
  create: everyone('fleet.admin'),
  modify: everyone('fleet.admin'),
}
/** Row of compute resources in a project. */
export const computing = inProject('project.limited_collaborator')
/** Row of network resources in a project, which require a stronger role. */
export const networking = inProject('project.collaborator')
