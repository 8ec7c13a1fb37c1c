/**
 * Effects of a deletion on other resources, and the steps before it: what has to be deleted first,
 * and the reasons that some resources cannot be deleted at all. The obstacles of a kind are in its
 * declaration.
 */
import type { InstanceState } from '../../compute/instances/rules.ts'
import type { JobStep } from '../jobs/rules.ts'

/** Relation of a resource to a deletion: it goes as well, stays, or blocks it. */
export const deletionRelations = ['goes', 'stays', 'blocks'] as const
export type DeletionRelation = (typeof deletionRelations)[number]

/** Number of resources of a group listed by name. */
export const DELETION_FIRST = 10

/**
 * Deletions of this many resources that hold data require typing their number. A user can take in
 * fewer than ten names at a glance, and a dialog lists as many before it only counts.
 */
export const DELETION_TYPED_FROM = 10

/** The resource changed between the check and the deletion. */
export const DELETION_RACED = 'deletion failed due to concurrent modification'

/** Reason that a resource cannot be deleted as it is, and the steps to take first. */
export interface Obstacle {
  reason: string
  /** Steps that remove the obstacle, in order; none if nothing does. */
  steps: readonly DeletionStep[]
  /** More specific reason for the description of the deletion. */
  explanation?: string
  /** Whether the obstacle is the attached instance, not the state of the resource. */
  held?: true
}
export type DeletionStep = Exclude<JobStep, 'start' | 'reboot' | 'snapshot' | 'restore' | 'delete'>

/** The instance that a resource is attached to. */
export interface Holder {
  state: InstanceState
  /** Whether it boots from the disk. */
  boots?: boolean
}

/** Facts that decide whether a resource can be deleted. */
export interface DeletionFacts {
  /** Null for kinds without states. */
  state: string | null
  /** The instance it is attached to, if that stays. */
  holder?: Holder | undefined
  /** The instance it is attached to is deleted first. */
  released?: boolean
  /** Other resources of its kind that have to be deleted first will stay. */
  othersStay?: boolean
}

/** Relation of a kind's deletion to other resources. */
export interface DeletionRule {
  /**
   * Name of the kind in the refusal to delete its project. Without it, resources of the kind do not
   * keep a project from being deleted.
   */
  inProject?: string
  /** Kinds that are deleted before this kind. */
  after: readonly string[]
  /** Kinds inside this kind that keep it from being deleted. A chain deletes them first. */
  contains?: readonly string[]
  /** Kind whose deletion includes these resources, without a step of their own. */
  goesWith?: string
  /** Dependents: kinds that stay unless the job is told to delete them. */
  cascades?: readonly string[]
  /** Deleting even one of them requires typing its name. */
  typed?: true
  /** Deleting it loses user data or configuration for good. */
  holdsData?: true
  /** States of the kind, if it has any. */
  states?: readonly string[]
  /** The API's refusal, where it has a wording of its own. */
  refusal?: string
  /** Obstacle to the deletion; undefined if there is none. */
  obstacle?: (facts: DeletionFacts) => Obstacle | undefined
}

/** Groups in a description of a deletion, including kinds that jobs do not act on. */
export const deletionKinds = [
  'vpc_firewall_rule',
  'ephemeral_ip',
  'affinity_group_member',
  'anti_affinity_group_member',
  'multicast_group_member',
  'internet_gateway_ip_pool',
  'internet_gateway_ip_address',
  'ip_pool_range',
  'subnet_pool_member',
  'silo_link',
  'serial_console',
  'data',
  'role',
] as const

/** Effects on resources when something else is deleted. */
export const deletionSentences = {
  network_interface: 'Deleted with the instance',
  ephemeral_ip: 'Back to the pool',
  membership: 'The instance leaves the group',
  serial_console: 'What it has written is lost',
  role: 'Roles in the project end with it',
  detached: 'Will be detached',
  partOfPool: 'Removed from the pool',
  unlinked: 'The silo can no longer allocate from the pool',
  partOfProject: 'Deleted with the project',
  restorable: 'Can no longer be restored',
  partOfVpc: 'Deleted with the VPC',
  partOfSubnet: 'Deleted with the subnet',
  partOfRouter: 'Deleted with the router',
  leftToSystemRouter: 'Will fall back to the system router',
  routesToGateway: 'Deleted because they lead to the gateway',
  kept: 'Will be kept',
  data: 'Will be deleted for good',
  dataForNow: 'Will be kept until it can no longer be restored',
  dataOfImages: 'Will be kept for the images made of it',
  dataOfOthers: 'Will be kept for other images made of the same snapshot',
  importOpen: 'An import into it is open',
  interfacesInSubnets: 'Its network interfaces have to be deleted first',
  projectNotEmpty: 'Project must be empty before it can be deleted',
} as const
