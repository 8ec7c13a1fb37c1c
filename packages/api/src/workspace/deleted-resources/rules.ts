/** Deleted resources that are kept for some time, so that they can be restored. */

/** Kinds whose deleted resources are kept. */
export const restorableKinds = [
  'instance',
  'disk',
  'snapshot',
  'image',
  'floating_ip',
  'external_subnet',
  'vpc',
  'vpc_subnet',
  'vpc_router',
  'router_route',
  'internet_gateway',
  'affinity_group',
  'anti_affinity_group',
] as const
export type RestorableKind = (typeof restorableKinds)[number]

export const isRestorable = (kind: string): kind is RestorableKind =>
  (restorableKinds as readonly string[]).includes(kind)

/** Maximum number of hours for which the policy of a silo keeps deleted resources. */
export const RESTORABLE_HOURS_MAX = 7 * 24
/** Hours for which new silos keep deleted resources; the form of the policy suggests them too. */
export const RESTORABLE_HOURS_DEFAULT = 72

/** Deleted resources that are kept of a silo; beyond, the oldest go first. */
export const KEPT_RESOURCES_MAX = 10_000

/** Milliseconds of an hour. */
const HOUR_MS = 60 * 60 * 1000

/** The time until which a resource can be restored that is deleted at a time. */
export const restorableUntil = (deleted: Date, hours: number): Date =>
  new Date(deleted.getTime() + hours * HOUR_MS)

/** The fate of a part of a deleted resource when the resource is restored. */
export const deletedPartFates = ['restored', 'attached'] as const
export type DeletedPartFate = (typeof deletedPartFates)[number]

/** Refusals to restore, and sentences about parts that did not return as they were. */
export const restoreMessages = {
  parentDeleted: (words: string, name: string) =>
    `its ${words} "${name}" is deleted too; restore that first`,
  parentGone: (words: string) => `its ${words} no longer exists`,
  gone: 'it no longer exists',
  changed: 'it has been changed since',
  nameTaken: (name: string) => `another resource is called "${name}" now`,
  leftOut: (part: string, reason: string) => `${part} was left out: ${reason}`,
  notAttached: (part: string, reason: string) => `${part} was not attached: ${reason}`,
  otherAddress: (was: string, now: string) =>
    `Address ${was} is in use, so ${now} was assigned instead`,
  noAddress: (was: string) => `address ${was} is in use, and no other one is free`,
  noQuota: 'the storage quota of the silo has no room for it',
  noRoom: 'its room is needed by a disk that has grown',
  poolUnlinked: 'the silo can no longer allocate from its pool',
  subnetInUse: (subnet: string) => `${subnet} is in use by another resource`,
  noBootDisk: 'Its boot disk no longer exists, so it has none now',
  noRouter: 'Its custom router no longer exists, so it has only the system router now',
} as const
