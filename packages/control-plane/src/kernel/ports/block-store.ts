/** A stretch of bytes. */
export interface Extent {
  offset: number
  length: number
}

/**
 * Where a host keeps the bytes of volumes: sparse, each under an id. Bytes that were never written
 * are zero, and an id that was never written to has none. Every call may be repeated, and one that is cut off by a
 * crash has either happened or not.
 */
export interface BlockStore {
  /** Gets ready; clears away what a crash left half done. */
  open: () => Promise<void>
  close: () => Promise<void>
  /** Ids that have bytes. */
  list: () => Promise<string[]>
  /** Whether an id has bytes. */
  has: (id: string) => Promise<boolean>
  /**
   * Writes bytes, and notes where. When it returns they are durable, as far as the host knows how.
   * @throws NoSpaceError
   */
  write: (id: string, offset: number, data: Uint8Array) => Promise<void>
  read: (id: string, offset: number, length: number) => Promise<Uint8Array>
  /** What has been written to an id itself: sorted, and apart from each other. */
  written: (id: string) => Promise<Extent[]>
  /** The id will not be written to any more: forgets where it was. */
  seal: (id: string) => Promise<void>
  /**
   * Gives `to` the bytes that `from` has, unless it is there already. Later writes to one do not
   * show in the other.
   * @returns whether there were any
   */
  copy: (from: string, to: string) => Promise<boolean>
  remove: (id: string) => Promise<void>
}

/** The host has no room for more bytes. */
export class NoSpaceError extends Error {}
