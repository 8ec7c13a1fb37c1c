/** Disk states, the actions permitted in each, sizes, and refusals (control plane section 7). */
import { exactBytes, GiB, PiB } from '../../rules/bytes.ts'

/**
 * Every state: whether the disk leaves it without a request, whether it is bound to an instance,
 * and the permitted actions.
 */
const states = {
  creating: { transitioning: true, bound: false, can: ['attach'] },
  detached: {
    transitioning: false,
    bound: false,
    can: ['delete', 'snapshot', 'attach', 'grow'],
  },
  import_ready: { transitioning: false, bound: false, can: [] },
  importing_from_url: { transitioning: false, bound: false, can: [] },
  importing_from_bulk_writes: { transitioning: false, bound: false, can: [] },
  finalizing: { transitioning: true, bound: false, can: [] },
  /** Being rolled back to a snapshot, or moved to another storage pool. */
  maintenance: { transitioning: true, bound: false, can: [] },
  attaching: { transitioning: true, bound: true, can: [] },
  attached: {
    transitioning: false,
    bound: true,
    can: ['snapshot', 'detach', 'setAsBootDisk', 'grow'],
  },
  detaching: { transitioning: true, bound: true, can: [] },
  destroyed: { transitioning: false, bound: false, can: [] },
  faulted: { transitioning: false, bound: false, can: ['delete'] },
} as const satisfies Record<
  string,
  { transitioning: boolean; bound: boolean; can: readonly DiskAction[] }
>

export type DiskStateName = keyof typeof states
export const diskStates = Object.keys(states) as DiskStateName[]

export const diskTypes = ['distributed', 'local'] as const

/** Whether a disk leaves a state without a request. */
export const diskIsTransitioning = (state: DiskStateName): boolean => states[state].transitioning

const camelCase = (state: string): string =>
  state.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A state in messages: `ImportReady`, `Attached(id of the instance)`. */
export const diskStateText = (state: DiskStateName, instanceId?: string | null): string =>
  states[state].bound ? `${camelCase(state)}(${instanceId ?? ''})` : camelCase(state)

/** The console's explanation of an action in states that do not offer it. */
export const diskActions = {
  delete: { otherwise: 'Only disks in state detached or faulted can be deleted' },
  snapshot: { otherwise: 'Only disks in state attached or detached support snapshots' },
  attach: { otherwise: 'Only detached disks can be attached' },
  detach: { otherwise: 'Only attached disks can be detached' },
  setAsBootDisk: { otherwise: 'Only attached disks can be set as boot disk' },
  /** To grow, or to be rolled back. */
  grow: { otherwise: 'Only attached or detached disks support this' },
} as const satisfies Record<string, { otherwise: string }>

export type DiskAction = keyof typeof diskActions

export const diskCan = (action: DiskAction, state: DiskStateName): boolean =>
  (states[state].can as readonly DiskAction[]).includes(action)

/** Reason that an action is not possible in a state; undefined if it is. */
export function diskCannot(action: DiskAction, state: DiskStateName): string | undefined {
  if (diskCan(action, state)) return undefined
  if (action === 'delete' && state === 'attached') {
    return 'Disk must be detached before it can be deleted'
  }
  return diskActions[action].otherwise
}

/** Refusal for the boot disk of an instance. */
export const BOOT_DISK_STAYS = 'Boot disk must be unset before it can be detached'

/** Bytes of a block of a CD; images in ISO 9660 have such blocks. */
export const CD_BLOCK_SIZE = 2048

/** Whether real machines see a disk as a CD, which they boot from if their boot disk is empty. */
export const isCd = (readOnly: boolean, blockSize: number): boolean =>
  readOnly && blockSize === CD_BLOCK_SIZE

/** Explains such a disk to users. */
export const CD_MEANING = `Real machines see a read-only disk with blocks of ${CD_BLOCK_SIZE} bytes as a CD, and boot from it while their boot disk is empty.`

/** Refusal to delete the disk of an image download. */
export const IMAGE_ARRIVES =
  'An image is being downloaded into it: cancel the download in the list of images'

const LOCAL_WITHOUT_SNAPSHOTS = "Local disks don't support snapshots"

/** Reason that a disk cannot be snapshotted, which depends on its type as well as its state. */
export function diskCannotSnapshot(
  state: DiskStateName,
  type: 'distributed' | 'local',
  readOnly: boolean,
): string | undefined {
  if (readOnly) return "Read-only disks don't support snapshots"
  return diskCannot('snapshot', state) ?? (type === 'local' ? LOCAL_WITHOUT_SNAPSHOTS : undefined)
}

/** Reason that a disk cannot grow, which depends on its use as well as its state. */
export const diskCannotGrow = (state: DiskStateName, readOnly: boolean): string | undefined =>
  readOnly ? 'A read-only disk is as large as its source' : diskCannot('grow', state)

/** Why a read-only disk is in no other storage pool. */
export const READ_ONLY_STAYS = 'A read-only disk has no bytes of its own: it stays with its source'

/** Reason that a disk cannot be moved to another storage pool, whatever the state of its instance. */
export const diskCannotMove = (state: DiskStateName, readOnly: boolean): string | undefined =>
  readOnly ? READ_ONLY_STAYS : diskCannot('grow', state)

/** Reason that a disk cannot be rolled back to a snapshot, whatever the state of its instance. */
export function diskCannotRollBack(
  state: DiskStateName,
  type: 'distributed' | 'local',
  readOnly: boolean,
): string | undefined {
  if (readOnly) return 'The contents of a read-only disk never change'
  return type === 'local' ? LOCAL_WITHOUT_SNAPSHOTS : diskCannot('grow', state)
}

/** Refusals to grow a disk, or to roll it back. */
export const diskRefusals = {
  notLarger: (present: number) => `total size must be more than the present ${exactBytes(present)}`,
  growing: (name: string) => `disk "${name}" is still growing to its last size; try again`,
  /** Why an instance cannot start. */
  rollingBack: (name: string) => `disk "${name}" is being rolled back; try again when it is done`,
  otherInstance: (snapshot: string) =>
    `snapshot "${snapshot}" was not taken of a disk that is attached to this instance`,
  otherPool: (snapshot: string) =>
    `snapshot "${snapshot}" is in another storage pool than the disk: move the disk there first`,
  otherSnapshot: (snapshot: string, disk: string) =>
    `snapshot "${snapshot}" was not taken of disk "${disk}"`,
} as const

/** Description of the snapshot that is taken before a rollback, and undoes it. */
export const beforeRollBack = (snapshot: string): string => `Before rolling back to ${snapshot}`

/** Steps of an import: the state each step requires, and the next one. */
export const importSteps = {
  start: { from: 'import_ready', to: 'importing_from_bulk_writes' },
  stop: { from: 'importing_from_bulk_writes', to: 'import_ready' },
  finalize: { from: 'import_ready', to: 'finalizing' },
  /** The control plane alone writes; nobody else can write, or end the import. */
  download: { from: 'import_ready', to: 'importing_from_url' },
} as const satisfies Record<string, { from: DiskStateName; to: DiskStateName }>

/** Bytes of one chunk of an import, decoded. */
export const IMPORT_CHUNK_MAX = 512 * 1024

/** Bytes of one raw chunk of an import, by the extension. */
export const RAW_CHUNK_MAX = 4 * 1024 * 1024

/**
 * Size in bytes of the pieces that browsers checksum: small enough for memory, and for the native
 * hash.
 */
export const CHECKSUM_PIECE = 4 * 1024 * 1024
/** Bytes; smaller pieces are refused. */
export const CHECKSUM_PIECE_MIN = 1024 * 1024

/** Problem with the offset and length of a chunk; undefined if it can be written. */
export function importChunkProblem(
  disk: { size: number; blockSize: number },
  offset: number,
  length: number,
  max = IMPORT_CHUNK_MAX,
): string | undefined {
  if (offset % disk.blockSize !== 0) return 'offset not multiple of block size!'
  if (length % disk.blockSize !== 0) return 'data length not multiple of block size!'
  if (length > max) return `data length greater than ${max} bytes!`
  if (offset + length > disk.size) return 'data goes past the end of the disk!'
  return undefined
}

export const blockSizes = [512, 2048, 4096] as const
export const LOCAL_DISK_BLOCK_SIZE = 4096
/** Bytes. */
export const DISK_MIN_SIZE = GiB
/** Bytes; exactly this much is allowed. */
export const DISTRIBUTED_DISK_MAX_SIZE = 1023 * GiB
/** Bytes. */
export const LOCAL_DISK_MAX_SIZE = 10 * PiB

/**
 * Suggested size in GiB of a disk created from a source: the source rounded up to the next ten,
 * never more than the maximum.
 */
export const suggestedDiskSize = (sourceBytes: number): number =>
  Math.min(Math.ceil(sourceBytes / GiB / 10) * 10, DISTRIBUTED_DISK_MAX_SIZE / GiB)

/**
 * Size in GiB of a disk after a source is chosen: changed only if the disk would be too small for
 * the source.
 * @param gib current size; NaN while the field is empty
 */
export const fittingDiskSize = (gib: number, sourceBytes: number): number =>
  gib * GiB >= sourceBytes ? gib : suggestedDiskSize(sourceBytes)

/** Form error for a disk size in GiB, or undefined. */
export function diskSizeFieldProblem(
  gib: number,
  { min = 1, max = DISTRIBUTED_DISK_MAX_SIZE / GiB }: { min?: number; max?: number } = {},
): string | undefined {
  if (!(gib >= min)) return `Must be at least ${min} GiB`
  if (gib > max) return `Can be at most ${max} GiB`
  return undefined
}

/** Refusals while something else has the bytes of a disk open. */
export const diskInUse = {
  byInstance:
    'The contents of a disk cannot be used while its instance runs: stop the instance, or take a snapshot and use that',
  byServer: 'The disk is being used by another server',
} as const

/** Refusal while the program that has a disk open waits for its storage. */
export const diskSilent = 'The storage of the disk does not answer. Try again later'
