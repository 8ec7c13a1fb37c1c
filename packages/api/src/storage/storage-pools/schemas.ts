import { instanceCreate } from '../../compute/instances/schemas.ts'
import { INSTANCE_MAX_DISKS } from '../../compute/instances/rules.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  identity,
  identityCreate,
  identityUpdate,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  ruledText,
  string,
  uint,
  uuid,
} from '../../schema.ts'
import {
  requestedPoolTypes,
  STORAGE_POOL_PATH_MAX,
  STORAGE_POOL_SOURCE_MAX,
  storagePoolStates,
  storagePoolTypes,
} from './rules.ts'

/** Whether a host reaches a pool. */
const StoragePoolHost = record('StoragePoolHost', {
  /** Serial number of its sled. */
  serial: string,
  /** Why it does not; null if it does. */
  problem: string.nullable(),
})

export const StoragePool = record('StoragePool', {
  ...identity,
  type: named('StoragePoolType', oneOf(...storagePoolTypes)),
  /** Its directory; null for physical disks. */
  path: string.nullable(),
  /** The file system that hosts mount there, such as `nas.example:/export`; null unless they do. */
  source: string.nullable(),
  /** The fleet has had it from its start, and keeps it. */
  built_in: boolean,
  /** New disks are in it, unless their silo has a default of its own or they name a pool. */
  is_default: boolean,
  state: named('StoragePoolState', oneOf(...storagePoolStates)),
  /** Why it is unreachable, as a sentence without a full stop; null if it is not. */
  problem: string.nullable(),
  /** Size of its file system or disks, counted once; null until it was looked at. */
  size: ByteCount.nullable(),
  /** Free room of its file system; null where it is not known. */
  free: ByteCount.nullable(),
  /** Sizes of its disks, whether they are written or not; together at most `size`. */
  provisioned: ByteCount,
  /** Number of its disks. */
  disks: uint,
  /** Hosts that were asked whether they reach it; empty where all of them do. */
  hosts: list(StoragePoolHost),
  time_checked: dateTime.nullable(),
})

export const StoragePoolCreate = record('StoragePoolCreate', {
  ...identityCreate,
  type: named('RequestedStoragePoolType', oneOf(...requestedPoolTypes)),
  /** An empty directory that the servers and all hosts see at this path, or are to see. */
  path: ruledText(STORAGE_POOL_PATH_MAX),
  /** The file system that hosts mount there: host and path of NFS, host and volume of GlusterFS. */
  source: ruledText(STORAGE_POOL_SOURCE_MAX).nullable().optional(),
})
export const StoragePoolUpdate = record('StoragePoolUpdate', identityUpdate)

/** A pool as its users see it. */
export const StoragePoolChoice = record('StoragePoolChoice', {
  id: uuid,
  name: Name,
  description: string,
  /** New disks of the caller's silo are in it unless they name a pool. */
  is_default: boolean,
})
export const StoragePoolChoices = record('StoragePoolChoices', { items: list(StoragePoolChoice) })

const StoragePoolReference = record('StoragePoolReference', { id: uuid, name: Name })

/** The default pool of a silo. */
export const SiloStoragePool = record('SiloStoragePool', {
  /** Null: that of the fleet. */
  pool: StoragePoolReference.nullable(),
})
export const SiloStoragePoolUpdate = record('SiloStoragePoolUpdate', {
  /** Null: that of the fleet. */
  pool: NameOrId.nullable(),
})

/** The move of a disk to another pool, or the last one if it failed. */
const DiskMove = record('DiskMove', {
  to: StoragePoolReference,
  /** The part that is copied, 0 to 100; null until the engine has said it, and after a failure. */
  percent: uint.nullable(),
  /** Why it failed; null while it goes on. */
  problem: string.nullable(),
})

/** Where the bytes of a disk are. */
export const DiskStorage = record('DiskStorage', {
  pool: StoragePoolReference,
  /** Null if it is not being moved, and the last move did not fail. */
  move: DiskMove.nullable(),
})

export const DiskMoveCreate = record('DiskMoveCreate', {
  /** The destination. */
  pool: NameOrId,
})

/** The pool of a disk that is created with its instance. */
const DiskPlacement = record('DiskPlacement', { disk: Name, pool: NameOrId })

export const PlacedInstanceCreate = record('PlacedInstanceCreate', {
  ...instanceCreate,
  /** New disks that are not named here are in the usual pool. */
  disk_pools: ruledArray(DiskPlacement, INSTANCE_MAX_DISKS + 1).default([]),
})
