/**
 * Room on the disk of the database that a host keeps reserved for the time when the disk is full.
 */
export interface Reserve {
  /**
   * Releases the room for the operations that are allowed on a full disk: signing in and out, and
   * deletes.
   */
  release: () => Promise<void>
  /**
   * Reserves the room again, or keeps it.
   * @returns whether the room is reserved and there is more beside it; if not, the reserve is
   *   released
   */
  restore: () => Promise<boolean>
}
