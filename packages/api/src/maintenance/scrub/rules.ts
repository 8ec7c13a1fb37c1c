/** Pace and subject of the background reads that find damage on the disks of servers. */

/** Bytes that are checked in a second, so that others have the disk. */
export const SCRUB_BYTES_PER_SECOND = 16 * 1024 * 1024
/** Milliseconds between the end of a check of everything and the next one. */
export const SCRUB_EVERY_MS = 24 * 60 * 60_000

export const scrubMessages = {
  damaged: 'These bytes are damaged on the disk of the server',
} as const
