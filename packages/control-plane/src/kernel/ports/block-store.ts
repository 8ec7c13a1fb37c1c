/** A stretch of bytes. */
export interface Extent {
  offset: number
  length: number
}

/**
 * Where a host keeps the bytes of volumes: sparse, each volume under an id. Bytes that were never
 * written are zero, and an id that was never written to has no bytes. Every call may be repeated,
 * and a call that a crash interrupts has either happened or not.
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
   * Writes bytes, and records where. They are durable when it returns, as far as the host can
   * guarantee it.
   * @throws NoSpaceError
   */
  write: (id: string, offset: number, data: Uint8Array) => Promise<void>
  /** Bytes that can still be written; missing where there is no limit. */
  room?: () => Promise<number>
  /** @throws DamagedBytes if the bytes are not as they were written, as far as that is known */
  read: (id: string, offset: number, length: number) => Promise<Uint8Array>
  /**
   * Reads all bytes of an id and compares them with their checksums.
   * @param pace is waited for after each piece, with its bytes; it may throw to end the check
   * @returns where they are damaged
   */
  check: (id: string, pace: Pace) => Promise<Extent[]>
  /** The extents that were written to an id itself: sorted, without overlap. */
  written: (id: string) => Promise<Extent[]>
  /** Ends the writing to an id: forgets where it was written to. */
  seal: (id: string) => Promise<void>
  /**
   * Copies the bytes of `from` to `to`, unless `to` exists. Later writes to one do not change the
   * other.
   * @returns whether `from` had any bytes
   */
  copy: (from: string, to: string) => Promise<boolean>
  remove: (id: string) => Promise<void>
}

/** Gives way to other work after so many bytes were read. */
export type Pace = (bytes: number) => Promise<void>

/** Bytes are not as they were written: the disk or something in between has changed or lost them. */
export class DamagedBytes extends Error {
  override name = 'DamagedBytes'
  /** Where, from the beginning of the volume. */
  readonly offset: number

  constructor(offset: number) {
    super(`the bytes from ${offset} on are damaged`)
    this.offset = offset
  }
}

/** The host has no room for more bytes. */
export class NoSpaceError extends Error {}
