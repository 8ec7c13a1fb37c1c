/** A stretch of bytes. */
export interface Extent {
  offset: number
  length: number
}

/**
 * Storage for the bytes of volumes at a host: sparse, each volume under an id. Bytes that were
 * never written are zero, and an id that was never written to has no bytes. Every call may be
 * repeated, and an interrupted call has either taken effect or not.
 */
export interface BlockStore {
  /** Prepares the store, and removes what a crash left unfinished. */
  open: () => Promise<void>
  close: () => Promise<void>
  /** Ids that have bytes. */
  list: () => Promise<string[]>
  /** Whether an id has bytes. */
  has: (id: string) => Promise<boolean>
  /**
   * Writes bytes, and records their extent. They are durable when it returns, as far as the host
   * can guarantee it.
   * @throws NoSpaceError
   */
  write: (id: string, offset: number, data: Uint8Array) => Promise<void>
  /** Bytes that can still be written; missing where there is no limit. */
  room?: () => Promise<number>
  /** @throws DamagedBytes if the bytes are known to have changed since they were written */
  read: (id: string, offset: number, length: number) => Promise<Uint8Array>
  /**
   * Reads all bytes of an id and compares them with their checksums.
   * @param throttle awaited after each piece, with the number of its bytes; it may throw to end the
   *   check
   * @returns the damaged extents
   */
  check: (id: string, throttle: Throttle) => Promise<Extent[]>
  /** The extents that were written to an id itself: sorted, without overlap. */
  written: (id: string) => Promise<Extent[]>
  /** Ends the writing to an id: forgets the written extents. */
  seal: (id: string) => Promise<void>
  /**
   * Copies the bytes of `from` to `to`, unless `to` exists. Later writes to one do not change the
   * other.
   * @returns whether `from` had any bytes
   */
  copy: (from: string, to: string) => Promise<boolean>
  remove: (id: string) => Promise<void>
}

/** Yields to other work after reading this many bytes. */
export type Throttle = (bytes: number) => Promise<void>

/**
 * Bytes differ from those that were written: the disk or something in between has changed or lost
 * them.
 */
export class DamagedBytes extends Error {
  override name = 'DamagedBytes'
  /** From the beginning of the volume. */
  readonly offset: number

  constructor(offset: number) {
    super(`the bytes from ${offset} on are damaged`)
    this.offset = offset
  }
}

/** Another server has been using the bytes for longer than a call waits. */
export class BusyBytes extends Error {
  override name = 'BusyBytes'

  constructor() {
    super('another server is working with these bytes')
  }
}

/** The host has no room for more bytes. */
export class NoSpaceError extends Error {}
