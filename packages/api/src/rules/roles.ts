/**
 * Roles, what they imply, how they are inherited, and what each may do (control plane section 3).
 * The rows themselves stand in the declarations of the kinds, see `kind.ts`.
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

/** Refusal of a role for somebody who is not there, or not in the silo that the policy is of. */
export const noIdentity = (type: 'silo_user' | 'silo_group', id: string): string =>
  `there is no ${type === 'silo_user' ? 'user' : 'group'} with id ${id}`

/**
 * A role at one level, e.g. `silo.viewer`, or a relation: that of all users of the silo, of the users
 * of any silo, or of whom a thing belongs to.
 */
export type Grant =
  | `fleet.${FleetRole}`
  | `silo.${SiloRole}`
  | `project.${ProjectRole}`
  | 'silo.user'
  | 'any.user'
  | 'self'

/** Every grant, those of the fleet first, and at each level the strongest first. */
export const grants: readonly Grant[] = [
  ...fleetRoles.map((role): Grant => `fleet.${role}`),
  ...siloRoles.map((role): Grant => `silo.${role}`),
  ...projectRoles.map((role): Grant => `project.${role}`),
  'silo.user',
  'any.user',
  'self',
]

/** Grants that users have without a role. */
export const relations: readonly Grant[] = ['silo.user', 'any.user', 'self']

/** Role on a silo → role it gives on every project of that silo. */
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

/** Everything some roles amount to: weaker roles of the same level, and what silos give projects. */
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
 * Who may do what to one kind of thing: a row of the permission matrix. `list` and `create` speak of
 * its children. Rows name the weakest roles that suffice, because a role implies all weaker ones.
 */
export interface AccessRule {
  /** What a thing of this kind belongs to; decides which of the caller's roles count. */
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
/** The row of what a user signs in with, which admins of the silo may see and end. */
export const credentials: AccessRule = {
  scope: 'silo',
  read: everyone('self', 'silo.admin'),
  list: everyone('self', 'silo.admin'),
  create: everyone('self'),
  modify: everyone('self', 'silo.admin'),
}
/** The row of what belongs to the fleet and is kept by its operators. */
export const operating: AccessRule = {
  scope: 'fleet',
  read: everyone('fleet.viewer'),
  list: everyone('fleet.viewer'),
  create: everyone('fleet.admin'),
  modify: everyone('fleet.admin'),
}
/** The row of computing resources in a project. */
export const computing = inProject('project.limited_collaborator')
/** The row of networks in a project, which take more. */
export const networking = inProject('project.collaborator')
