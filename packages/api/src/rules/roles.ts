/**
 * Roles, what they imply, how they are inherited, and what each may do (control plane section 3).
 * The control plane enforces this table, the console explains it and a generated test walks it.
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

/** A role at one level, e.g. `silo.viewer`, or a relation everybody of the silo has. */
export type Grant =
  | `fleet.${FleetRole}`
  | `silo.${SiloRole}`
  | `project.${ProjectRole}`
  | 'silo.user'
  | 'self'

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

export type Action = 'read' | 'list' | 'create' | 'modify'

/** Who may do what to one kind of thing. `list` and `create` speak of its children. */
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
const computing = inProject('project.limited_collaborator')
const networking = inProject('project.collaborator')

/**
 * The matrix: one row per kind of resource. Rows name the weakest roles that suffice, because a
 * role implies all weaker ones.
 */
export const access = {
  fleet: {
    scope: 'fleet',
    read: everyone('fleet.viewer'),
    list: everyone('fleet.viewer'),
    create: everyone('fleet.collaborator'),
    modify: everyone('fleet.admin'),
  },
  silo: {
    scope: 'silo',
    read: everyone('silo.user', 'fleet.viewer'),
    list: everyone('silo.viewer'),
    create: everyone('silo.collaborator'),
    modify: everyone('silo.admin', 'fleet.collaborator'),
  },
  silo_user: {
    scope: 'silo',
    read: everyone('silo.user', 'fleet.viewer'),
    list: everyone('silo.user', 'fleet.viewer'),
    create: everyone('silo.admin', 'fleet.admin'),
    modify: everyone('silo.admin', 'fleet.admin'),
  },
  silo_group: {
    scope: 'silo',
    read: everyone('silo.user', 'fleet.viewer'),
    list: everyone('silo.user', 'fleet.viewer'),
    create: everyone('silo.admin'),
    modify: everyone('silo.admin'),
  },
  ssh_key: {
    scope: 'silo',
    read: everyone('self', 'silo.user', 'fleet.viewer'),
    list: everyone('self', 'silo.user', 'fleet.viewer'),
    create: everyone('self'),
    modify: everyone('self', 'silo.admin', 'fleet.admin'),
  },
  silo_image: {
    scope: 'silo',
    read: everyone('silo.viewer'),
    list: everyone('silo.viewer'),
    create: everyone('silo.limited_collaborator'),
    modify: everyone('silo.limited_collaborator'),
  },
  ip_pool: {
    scope: 'silo',
    read: everyone('silo.user'),
    list: everyone('silo.viewer'),
    create: everyone('silo.user'),
    modify: everyone('fleet.admin'),
  },
  project: {
    scope: 'project',
    read: everyone('project.viewer'),
    list: everyone('project.viewer'),
    create: everyone('project.limited_collaborator'),
    modify: everyone('project.admin'),
  },
  instance: computing,
  disk: computing,
  snapshot: computing,
  image: computing,
  network_interface: computing,
  floating_ip: computing,
  affinity_group: computing,
  vpc: networking,
  vpc_subnet: networking,
} as const satisfies Record<string, AccessRule>

export type ResourceKind = keyof typeof access

/** Whether somebody holding these grants may do this to a thing of this kind. */
export const permits = (kind: ResourceKind, action: Action, held: ReadonlySet<Grant>): boolean =>
  (access[kind][action] as readonly Grant[]).some((grant) => held.has(grant))
