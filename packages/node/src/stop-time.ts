/**
 * Time that supervisors give a server for its shutdown, besides `--drain`, before they kill it.
 * Milliseconds.
 */
export const STOP_MS = 10_000
