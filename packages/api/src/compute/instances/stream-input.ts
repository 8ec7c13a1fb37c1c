/** Input of viewers of a serial console or a screen, which a machine may take slowly or not at all. */

/** Bytes that a machine has not taken yet, after which its viewer waits. */
export const INPUT_WINDOW = 256 * 1024
/** Such bytes after which a viewer that cannot wait is closed; a frame may have one MiB. */
export const INPUT_MAX = 4 * 1024 * 1024
/** Milliseconds after which a waiting viewer is closed if no input was taken meanwhile. */
export const INPUT_STALL_MS = 30_000

/** Reasons for closing a viewer; at most 123 bytes each. */
export const inputEndings = {
  stalled: 'the machine takes no more input',
  flooding: 'the machine does not keep up with the input',
} as const
