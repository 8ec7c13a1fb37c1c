/**
 * What deleting means for other things, and how to get there: which steps come first, and why some
 * things cannot be deleted at all.
 */
import { BOOT_DISK_STAYS, diskCannot, type DiskStateName, importSteps } from './disks.ts'
import { addressesMayChange, floatingIpCannotDelete } from './floating-ips.ts'
import { instanceCannot, type InstanceState } from './instances.ts'
import type { JobStep, JobTargetKind, JobThingKind } from './jobs.ts'
import { snapshotCannotDelete, type SnapshotStateName } from './snapshots.ts'

/** How something stands to what is to be deleted: goes with it, stays without it, or is in the way. */
export const deletionRelations = ['goes', 'stays', 'blocks'] as const
export type DeletionRelation = (typeof deletionRelations)[number]

/** How many things of a group are told by name. */
export const DELETION_FIRST = 10

/** Of something that changed between looking at it and deleting it. */
export const DELETION_RACED = 'deletion failed due to concurrent modification'

/** Why the API refuses to delete something (control plane 5, 8.1, 8.2, 8.7). */
export const deletionRefusals = {
  vpc: 'VPC cannot be deleted while VPC Subnets exist',
  vpc_subnet: 'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
  floating_ip: 'Floating IP cannot be deleted while attached to an instance',
} as const

/** Kinds of things that keep a project from being deleted, in the order in which they are told. */
export const projectContents = {
  instance: 'instance',
  disk: 'disk',
  floating_ip: 'floating ip',
  image: 'project image',
  snapshot: 'snapshot',
  vpc: 'vpc',
  affinity_group: 'affinity group',
  anti_affinity_group: 'anti affinity group',
} as const
export type ProjectContent = keyof typeof projectContents

/** Why a project with something in it cannot be deleted. */
export function projectContains(kind: ProjectContent, name: string): string {
  const word = projectContents[kind]
  const article = /^[aeiou]/.test(word) ? 'an' : 'a'
  return `project to be deleted contains ${article} ${word}: ${name}`
}

/** Why something cannot be deleted as it is, and what would have to be done first. */
export interface Obstacle {
  reason: string
  /** Steps that do away with it, in their order; none if nothing does. */
  steps: readonly DeletionStep[]
}
export type DeletionStep = Exclude<JobStep, 'start' | 'reboot' | 'snapshot' | 'delete'>

/** States that asking an instance to stop leads to `stopped` from. */
const stopping: ReadonlySet<InstanceState> = new Set([
  'starting',
  'running',
  'stopping',
  'rebooting',
  'migrating',
])

/** What keeps an instance from being deleted. */
export function instanceObstacle(state: InstanceState): Obstacle | undefined {
  const reason = instanceCannot('delete', state)
  return reason ? { reason, steps: stopping.has(state) ? ['stop'] : [] } : undefined
}

/** An instance something is attached to. */
export interface Holder {
  state: InstanceState
  /** Whether it boots from the disk in question. */
  boots?: boolean
}

/**
 * What keeps a disk from being deleted.
 * @param holder the instance it is attached to, if that is not deleted before
 */
export function diskObstacle(state: DiskStateName, holder?: Holder): Obstacle | undefined {
  const reason = diskCannot('delete', state)
  if (!reason) return undefined
  if (state === importSteps.stop.from) return { reason, steps: ['stop_import', 'finalize'] }
  if (state === importSteps.finalize.from) return { reason, steps: ['finalize'] }
  if (state !== 'attached' || !holder) return { reason, steps: [] }
  if (holder.boots) return { reason: BOOT_DISK_STAYS, steps: [] }
  if (stopping.has(holder.state)) return { reason, steps: ['stop', 'detach'] }
  // An instance that is being made may start before a disk is detached.
  if (holder.state === 'creating') return { reason, steps: [] }
  const stuck = instanceCannot('detachDisk', holder.state)
  return stuck ? { reason: stuck, steps: [] } : { reason, steps: ['detach'] }
}

/**
 * What keeps a floating address from being deleted.
 * @param holder the instance it leads to, if that is not deleted before
 */
export function floatingIpObstacle(holder: Holder | undefined): Obstacle | undefined {
  if (!holder) return undefined
  return {
    reason: floatingIpCannotDelete('attached')!,
    steps: addressesMayChange(holder.state) ? ['detach'] : [],
  }
}

/** What keeps a snapshot from being deleted; it goes away by itself. */
export function snapshotObstacle(state: SnapshotStateName): Obstacle | undefined {
  const reason = snapshotCannotDelete(state)
  return reason ? { reason, steps: [] } : undefined
}

/**
 * What stays unless it is asked for: kind of a target → kinds of things that a job can be told to
 * take along. What is made of a disk that goes along may go along as well.
 */
export const mayGoAlong = {
  instance: ['disk', 'floating_ip', 'snapshot', 'image'],
  disk: ['snapshot', 'image'],
  snapshot: ['image'],
  image: [],
  floating_ip: [],
  affinity_group: [],
  anti_affinity_group: [],
  project: ['image'],
} as const satisfies Record<JobTargetKind, readonly JobThingKind[]>

/** Whether things of a kind can be taken along when a target is deleted. */
export const goesAlong = (target: keyof typeof mayGoAlong, kind: JobThingKind): boolean =>
  (mayGoAlong[target] as readonly JobThingKind[]).includes(kind)

/** What things are called in sentences. */
export const thingWords: Record<JobThingKind, string> = {
  instance: 'instance',
  disk: 'disk',
  snapshot: 'snapshot',
  image: 'image',
  floating_ip: 'floating IP',
  affinity_group: 'affinity group',
  anti_affinity_group: 'anti-affinity group',
  project: 'project',
  vpc_subnet: 'subnet',
  vpc: 'VPC',
}

/** Kinds of groups that are no things a job acts on. */
export const deletionKinds = [
  'network_interface',
  'ephemeral_ip',
  'affinity_group_member',
  'anti_affinity_group_member',
  'serial_console',
  'data',
  'role',
] as const
export type DeletionKind = JobThingKind | (typeof deletionKinds)[number]

/** What becomes of things when something else is deleted. */
export const deletionSentences = {
  network_interface: 'Deleted with the instance',
  ephemeral_ip: 'Given back to the pool',
  membership: 'The instance leaves the group',
  serial_console: 'What it has written is lost',
  role: 'Roles in the project end with it',
  detached: 'Will be detached and kept',
  kept: 'Will be kept',
  data: 'Will be deleted for good',
  dataOfImages: 'Will be kept for the images made of it',
  dataOfOthers: 'Will be kept for other images made of the same snapshot',
  importOpen: 'An import into it is open',
  projectNotEmpty: 'Project must be empty before it can be deleted',
} as const

/** Why something cannot be deleted: something else, which would have to go first, cannot. */
export const deletionWaitsFor = (kind: JobThingKind, name: string): string =>
  `Cannot be deleted because ${thingWords[kind]} ${name} cannot`
