/** Room on the disk of the database that a host keeps back for the time when the rest is used up. */
export interface Reserve {
  /** Gives the room up, for what has to go on: signing in and out, and deletes. */
  release: () => Promise<void>
  /**
   * Takes the room back, or keeps it.
   * @returns whether it is held and there is room beside it; if not, it has been given up
   */
  restore: () => Promise<boolean>
}
