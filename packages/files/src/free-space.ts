/**
 * Milliseconds for which the measured free space is trusted for writes that leave twice the margin.
 */
const FOUND_MS = 500

/** The space of a disk that writers may use: all but a margin that stays free for others. */
export interface FreeSpace {
  /** Bytes that can still be written. */
  room: () => Promise<number>
  /**
   * Counts bytes that are about to be written.
   * @returns whether they leave the margin
   */
  take: (bytes: number) => Promise<boolean>
}

/**
 * @param measure the free bytes of the disk
 * @param marginBytes bytes that stay free there
 */
export function freeSpace(measure: () => Promise<number>, marginBytes: number): FreeSpace {
  /** Free bytes as measured, minus the bytes written since; others may have used more. */
  let free = 0
  let foundAt = -Infinity
  return {
    room: async () => Math.max(0, (await measure()) - marginBytes),
    async take(bytes) {
      if (performance.now() - foundAt > FOUND_MS || free - bytes < 2 * marginBytes) {
        foundAt = performance.now()
        free = await measure()
      }
      free -= bytes
      return free >= marginBytes
    },
  }
}
