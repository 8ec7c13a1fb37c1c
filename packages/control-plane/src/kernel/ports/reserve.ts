/** Disk space that a host reserves on the disk of the database for when the disk is full. */
export interface Reserve {
  /**
   * Releases the space for the operations that are allowed on a full disk: signing in and out, and
   * deletes.
   */
  release: () => Promise<void>
  /**
   * Reserves the space again, or keeps it.
   * @returns whether the space is reserved and there is more besides; if not, the reserve is
   *   released
   */
  restore: () => Promise<boolean>
}

/** The file system of the data directory; sizes in bytes. */
export type DataDisk = () => Promise<{ path: string; size: number; free: number }>
