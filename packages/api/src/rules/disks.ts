/** What may be done to a disk in which state, sizes, and why not (control plane section 7). */
import { GiB, PiB } from './bytes.ts'

export const diskStates = [
  'creating',
  'detached',
  'import_ready',
  'importing_from_url',
  'importing_from_bulk_writes',
  'finalizing',
  'maintenance',
  'attaching',
  'attached',
  'detaching',
  'destroyed',
  'faulted',
] as const
export type DiskStateName = (typeof diskStates)[number]

export const diskTypes = ['distributed', 'local'] as const

const transitioning: ReadonlySet<DiskStateName> = new Set([
  'attaching',
  'creating',
  'detaching',
  'finalizing',
])
export const diskIsTransitioning = (state: DiskStateName): boolean => transitioning.has(state)

const camelCase = (state: string): string =>
  state.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A state as messages name it: `ImportReady`, `Attached(id of the instance)`. */
export function diskStateText(state: DiskStateName, instanceId?: string | null): string {
  const bound = state === 'attaching' || state === 'attached' || state === 'detaching'
  return bound ? `${camelCase(state)}(${instanceId ?? ''})` : camelCase(state)
}

export const diskActions = {
  delete: {
    in: ['detached', 'faulted'],
    otherwise: 'Only disks in state detached or faulted can be deleted',
  },
  snapshot: {
    in: ['attached', 'detached'],
    otherwise: 'Only disks in state attached or detached support snapshots',
  },
  attach: { in: ['creating', 'detached'], otherwise: 'Only detached disks can be attached' },
  detach: { in: ['attached'], otherwise: 'Only attached disks can be detached' },
  setAsBootDisk: { in: ['attached'], otherwise: 'Only attached disks can be set as boot disk' },
} as const satisfies Record<string, { in: readonly DiskStateName[]; otherwise: string }>

export type DiskAction = keyof typeof diskActions

export const diskCan = (action: DiskAction, state: DiskStateName): boolean =>
  (diskActions[action].in as readonly DiskStateName[]).includes(state)

/** Why an action is not possible in a state; undefined if it is. */
export function diskCannot(action: DiskAction, state: DiskStateName): string | undefined {
  if (diskCan(action, state)) return undefined
  if (action === 'delete' && state === 'attached') {
    return 'Disk must be detached before it can be deleted'
  }
  return diskActions[action].otherwise
}

/** Of the boot disk of an instance. */
export const BOOT_DISK_STAYS = 'Boot disk must be unset before it can be detached'

/** Why a disk cannot be snapshotted: what it is comes into it as well as its state. */
export function diskCannotSnapshot(
  state: DiskStateName,
  type: 'distributed' | 'local',
  readOnly: boolean,
): string | undefined {
  if (readOnly) return "Read-only disks don't support snapshots"
  return (
    diskCannot('snapshot', state) ??
    (type === 'local' ? "Local disks don't support snapshots" : undefined)
  )
}

/** What an import goes through: the state each step needs, and the one it leads to. */
export const importSteps = {
  start: { from: 'import_ready', to: 'importing_from_bulk_writes' },
  stop: { from: 'importing_from_bulk_writes', to: 'import_ready' },
  finalize: { from: 'import_ready', to: 'finalizing' },
} as const satisfies Record<string, { from: DiskStateName; to: DiskStateName }>

/** Bytes of one chunk of an import, decoded. */
export const IMPORT_CHUNK_MAX = 512 * 1024

/** Bytes of one chunk of an import that is sent as it is, by the extension. */
export const RAW_CHUNK_MAX = 4 * 1024 * 1024

/** Bytes of the pieces of which browsers sum up an upload: each fits in memory, and is summed up natively. */
export const CHECKSUM_PIECE = 4 * 1024 * 1024
/** Bytes; smaller pieces are refused. */
export const CHECKSUM_PIECE_MIN = 1024 * 1024

/** What is wrong with the place and length of a chunk; undefined if it can be written. */
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
 * Size offered for a disk made from a source, in GiB: the source rounded up to the next ten, never
 * more than a disk can be.
 */
export const suggestedDiskSize = (sourceBytes: number): number =>
  Math.min(Math.ceil(sourceBytes / GiB / 10) * 10, DISTRIBUTED_DISK_MAX_SIZE / GiB)

/** Form message for a disk size in GiB, or undefined. */
export function diskSizeFieldProblem(
  gib: number,
  { min = 1, max = DISTRIBUTED_DISK_MAX_SIZE / GiB }: { min?: number; max?: number } = {},
): string | undefined {
  if (!(gib >= min)) return `Must be at least ${min} GiB`
  if (gib > max) return `Can be at most ${max} GiB`
  return undefined
}
/** Bytes of one physical drive of the simulated rack: what a local disk must fit on. */
export const PHYSICAL_DISK_SIZE = 3200 * GiB
