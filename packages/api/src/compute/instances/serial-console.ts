/**
 * The stream of a serial console at `/x/v1`: bytes in binary frames as at `/v1`, and besides them
 * text frames that say where in the output they stand, and how many have been taken.
 */

/** A byte of the output of a machine. */
export interface ConsolePlace {
  /** Identifies the boot; offsets start over with each boot. */
  boot: string
  /** Bytes since boot. */
  offset: number
}

/** Bytes that may be in flight to a viewer without an acknowledgement. */
export const CONSOLE_WINDOW = 256 * 1024

/** Why a stream is ended although its machine goes on; at most 123 bytes each. */
export const consoleEndings = {
  signedOut: 'the session has ended',
  forbidden: 'you no longer have access to this serial console',
  unavailable: 'the session cannot be verified at the moment',
} as const

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** What the control plane sends before the first byte, and after a gap in the output. */
export const tellPlace = ({ boot, offset }: ConsolePlace): string =>
  JSON.stringify({ boot, offset })

/** @returns undefined for a text that is something else */
export function heardPlace(text: string): ConsolePlace | undefined {
  const { boot, offset } = parse(text)
  return typeof boot === 'string' && isCount(offset) ? { boot, offset } : undefined
}

/** What a viewer sends from time to time: how many bytes of this connection it has processed. */
export const tellTaken = (taken: number): string => JSON.stringify({ taken })

/** @returns undefined for a text that is something else */
export function heardTaken(text: string): number | undefined {
  const { taken } = parse(text)
  return isCount(taken) ? taken : undefined
}
