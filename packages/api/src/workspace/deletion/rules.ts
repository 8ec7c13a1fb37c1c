/**
 * What deleting means for other things, and how to get there: which steps come first, and why some
 * things cannot be deleted at all. What is in the way of one kind is said by its declaration.
 */
import type { InstanceState } from '../../compute/instances/rules.ts'
import type { JobStep } from '../jobs/rules.ts'

/** How something stands to what is to be deleted: goes with it, stays without it, or is in the way. */
export const deletionRelations = ['goes', 'stays', 'blocks'] as const
export type DeletionRelation = (typeof deletionRelations)[number]

/** How many things of a group are told by name. */
export const DELETION_FIRST = 10

/**
 * Who deletes this many things that hold data has to type how many they are. A user can take in fewer
 * than ten names at a glance, and a dialog shows as many before it only counts.
 */
export const DELETION_TYPED_FROM = 10

/** Of something that changed between looking at it and deleting it. */
export const DELETION_RACED = 'deletion failed due to concurrent modification'

/** Why something cannot be deleted as it is, and what would have to be done first. */
export interface Obstacle {
  reason: string
  /** Steps that do away with it, in their order; none if nothing does. */
  steps: readonly DeletionStep[]
  /** What a description of the deletion says instead of the reason, where it knows more. */
  told?: string
  /** Whether it is the instance that the thing is attached to, not the state of the thing. */
  held?: true
}
export type DeletionStep = Exclude<JobStep, 'start' | 'reboot' | 'snapshot' | 'delete'>

/** An instance something is attached to. */
export interface Holder {
  state: InstanceState
  /** Whether it boots from the disk in question. */
  boots?: boolean
}

/** As much of a thing as decides whether it can be deleted. */
export interface DeletionFacts {
  /** Null for kinds without states. */
  state: string | null
  /** The instance it is attached to, if that stays. */
  holder?: Holder | undefined
  /** The instance it is attached to is deleted before. */
  released?: boolean
  /** Others of its kind would have to be deleted before it, and stay. */
  othersStay?: boolean
}

/** What deleting things of a kind has to do with other things. */
export interface DeletionRule {
  /**
   * What the refusal to delete a project calls a thing of this kind that is in it; kinds without it
   * do not keep a project from being deleted.
   */
  inProject?: string
  /** Kinds whose things are deleted before those of this kind. */
  after: readonly string[]
  /**
   * Kinds whose things are inside of one of this kind and keep it from being deleted. A chain of
   * steps deletes them before it.
   */
  contains?: readonly string[]
  /** The kind whose things take these along when they are deleted, without a step of its own. */
  goesWith?: string
  /** Kinds of things that would stay, and that a job can be told to take along. */
  along?: readonly string[]
  /** Even one of them is deleted only after its name has been typed. */
  typed?: true
  /** What users have stored or set up is lost with them, and nothing can bring it back. */
  holdsData?: true
  /** The states that they can be in, if they have states. */
  states?: readonly string[]
  /** Why the API refuses, where its words are its own. */
  refusal?: string
  /** What keeps a thing from being deleted; undefined if nothing does. */
  obstacle?: (facts: DeletionFacts) => Obstacle | undefined
}

/** Kinds of groups that are no things a job acts on. */
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

/** What becomes of things when something else is deleted. */
export const deletionSentences = {
  network_interface: 'Deleted with the instance',
  ephemeral_ip: 'Back to the pool',
  membership: 'The instance leaves the group',
  serial_console: 'What it has written is lost',
  role: 'Roles in the project end with it',
  detached: 'Will be detached',
  partOfPool: 'Removed from the pool',
  unlinked: 'The silo gets nothing from the pool any more',
  partOfProject: 'Deleted with the project',
  partOfVpc: 'Deleted with the VPC',
  partOfSubnet: 'Deleted with the subnet',
  partOfRouter: 'Deleted with the router',
  leftToSystemRouter: 'Will be left to the system router',
  routesToGateway: 'Deleted because they lead to the gateway',
  kept: 'Will be kept',
  data: 'Will be deleted for good',
  dataOfImages: 'Will be kept for the images made of it',
  dataOfOthers: 'Will be kept for other images made of the same snapshot',
  importOpen: 'An import into it is open',
  interfacesInSubnets: 'Its network interfaces have to be deleted first',
  projectNotEmpty: 'Project must be empty before it can be deleted',
} as const
