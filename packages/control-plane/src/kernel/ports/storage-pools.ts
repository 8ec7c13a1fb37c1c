/**
 * The port for storage pools: the places in which an engine keeps the bytes of volumes. An engine
 * has a first one; operators add others.
 */
import type { MountedPoolType, StoragePoolType } from '@steading/api/rules'

/** A pool as an engine knows it; its first one has the id null. */
export interface PoolPlace {
  id: string | null
  path: string
  /** The file system that hosts mount there; missing where operators do it themselves. */
  mount?: { type: MountedPoolType; source: string }
}

/** Whether a host reaches a pool. */
export interface PoolHost {
  /** Serial number of its sled. */
  serial: string
  /** Why it does not; a sentence without a full stop, for operators. */
  problem?: string
}

export interface PoolExamination {
  /** Why the server cannot use it; a sentence without a full stop, for operators. */
  problem?: string
  /** Size of its file system, and what is free there. Bytes; undefined if they are not known. */
  size?: number
  free?: number
  /** Hosts that were asked; empty where all of them reach it. */
  hosts: PoolHost[]
}

/** The state of a copy to another pool. */
export interface PoolMove {
  done: boolean
  /** The part that is copied, 0 to 1; undefined until it is known. */
  part?: number
}

/**
 * A restore from a backup: the volumes of some pools are in new directories, all others in the first
 * pool.
 */
export interface PoolRestore {
  id: string
  /** Pool → its new directory. */
  directories: ReadonlyMap<string, string>
}

/** A pool cannot be used; the message is a sentence without a full stop, for operators. */
export class UnusablePoolError extends Error {
  override name = 'UnusablePoolError'
}

/**
 * The disk of a running machine could not be copied; the message is a sentence without a full stop,
 * for the owner of the disk.
 */
export class DiskCopyError extends Error {
  override name = 'DiskCopyError'
}

export interface StoragePools {
  /** The first pool, which the engine always has. A path only for a directory. */
  first: { type: StoragePoolType; path: string | null }
  /**
   * The last restore from a backup. Known once the volumes have started; undefined without one.
   * Missing where restored volumes stay where they were.
   */
  restore?: () => Promise<PoolRestore | undefined>
  /**
   * Looks at a pool, or at a directory that is to become one, once hosts have mounted what they are to
   * mount. Changes nothing else. Ends soon, also if its file system does not answer.
   */
  examine: (pool: PoolPlace) => Promise<PoolExamination>
  /**
   * Makes an empty directory a pool. Repeating it changes nothing.
   * @throws UnusablePoolError
   */
  add: (pool: PoolPlace & { id: string }) => Promise<void>
  /**
   * Forgets a pool without volumes and snapshots; its directory stays. Hosts that can be reached
   * unmount what they have mounted.
   */
  remove: (pool: PoolPlace & { id: string }) => Promise<void>
  /**
   * Begins to copy a volume to another pool, or goes on with that, and returns soon. A guest that has
   * it open writes to it meanwhile. The volume is in one pool or the other at any time; its snapshots
   * stay where they are. Done at once if it is there.
   * @param poolId null for the first pool
   * @throws NoSpaceError, UnusablePoolError, DiskCopyError; the volume is where it was, once `stay`
   *   says so
   */
  move: (volumeId: string, poolId: string | null, fence?: number) => Promise<PoolMove>
  /**
   * Ends the move of a volume before it is done.
   * @returns whether the volume is where it was; if not, it has arrived
   */
  stay: (volumeId: string, poolId: string | null, fence?: number) => Promise<boolean>
}
