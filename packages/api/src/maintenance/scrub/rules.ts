/** Throttle of the background reads that find damage on the disks of servers. */

/** Bytes checked per second, which leaves disk bandwidth to other work. */
export const SCRUB_BYTES_PER_SECOND = 16 * 1024 * 1024
/** Milliseconds between the end of a full check and the start of the next. */
export const SCRUB_EVERY_MS = 24 * 60 * 60_000

export const scrubMessages = {
  damaged: 'This data is damaged on the disk of the server',
  busy: 'Another server is working with this data; try again',
} as const
